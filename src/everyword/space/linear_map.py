"""Linear maps from one vector space to another, fitted by ridge regression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.filling import choose_ridge, regression
from everyword.space.moments import Moments, single
from everyword.space.rows import blocks
from everyword.vectors.neighbours import rows_of_length, unit_rows

HELD_OUT_EVERY = 10


@dataclass(frozen=True)
class LinearMap:
    """A linear map of directions; all its outputs have one length.

    Both sides are normalised, because words are compared by cosine: a few long vectors must not dominate the fit.
    """

    NAME: ClassVar[str] = "linear.v1"
    matrix: FloatArray
    offset: FloatArray
    length: float

    @property
    def dim(self) -> int:
        """Dimension of the outputs."""
        return len(self.offset)

    def __call__(self, vectors: FloatArray) -> FloatArray:
        """Map vectors to the other space; zero vectors stay zero."""
        mapped = rows_of_length(unit_rows(vectors) @ self.matrix + self.offset, self.length)
        mapped[~vectors.any(axis=1)] = 0
        return mapped


class FittedMap(NamedTuple):
    """A linear map and the ridge it was fitted with."""

    map: LinearMap
    ridge: float


class Regression(NamedTuple):
    """A linear map of unnormalised rows and the ridge it was fitted with."""

    matrix: FloatArray
    offset: FloatArray
    ridge: float


def fit_map(source: FloatArray, target: FloatArray, *, length: float) -> FittedMap:
    """Fit a ridge regression from the unit rows of one matrix to those of another."""
    matrix, offset, ridge = ridge_regression(source, target, seen_as=unit_rows)
    return FittedMap(LinearMap(matrix, offset, length), ridge)


def ridge_regression(
    source: FloatArray, target: FloatArray, *, seen_as: Callable[[FloatArray], FloatArray] = np.asarray
) -> Regression:
    """Fit a ridge regression between the rows of two matrices; a tenth of them chooses the ridge."""
    all_rows = _moments(source, target, seen_as)
    held_out = _moments(source[::HELD_OUT_EVERY], target[::HELD_OUT_EVERY], seen_as)
    given = np.arange(source.shape[1] + target.shape[1]) < source.shape[1]
    ridge, _ = choose_ridge(all_rows.without(held_out), held_out, [given])
    matrix = regression(all_rows.covariance, given, ridge)
    offset = all_rows.mean[~given] - all_rows.mean[given] @ matrix
    return Regression(single(matrix), single(offset), ridge)


def _moments(source: FloatArray, target: FloatArray, seen_as: Callable[[FloatArray], FloatArray]) -> Moments:
    """Return the moments of the rows of both, side by side."""
    dim = source.shape[1] + target.shape[1]
    joined = (
        np.concatenate([seen_as(source[part]), seen_as(target[part])], axis=1) for part in blocks(len(source), dim)
    )
    return Moments.of_blocks(joined, dim)
