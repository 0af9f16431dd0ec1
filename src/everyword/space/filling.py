"""Predict the vector of a word in a table that lacks it from the tables that have it, by ridge regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray
from everyword.space.mergers.base import Parts
from everyword.space.moments import DoubleArray, Moments, single

RIDGES = (0.001, 0.01, 0.1, 1.0, 10.0)
DEFAULT_RIDGE = 0.1
"""Used if too few words are shared to choose."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Filler:
    """Mean and covariance of all inputs side by side: gives the regression for any subset that has a word."""

    dims: tuple[int, ...]
    ridge: float
    """Strength, as a multiple of the mean variance of the regressors."""
    mean: FloatArray
    covariance: FloatArray
    _maps: dict[tuple[bool, ...], FloatArray] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def fit(cls, shared: Moments, dims: tuple[int, ...], ridge: float) -> Filler:
        """Fit to the words that all inputs have."""
        return cls(dims, ridge, single(shared.mean), single(shared.covariance))

    def fill(self, parts: Parts) -> Parts:
        """Fill in the missing vectors of each word."""
        if parts.present.all():
            return parts
        joined = parts.joined()
        patterns, which = np.unique(parts.present, axis=0, return_inverse=True)
        for index, pattern in enumerate(patterns):
            if not pattern.all():
                known = np.repeat(pattern, self.dims)
                rows = np.flatnonzero(which.ravel() == index)
                given = joined[np.ix_(rows, known)] - self.mean[known]
                joined[np.ix_(rows, ~known)] = self.mean[~known] + given @ self._map(pattern, known)
        filled = np.split(joined, np.cumsum(self.dims)[:-1], axis=1)
        return Parts(tuple(filled), np.ones_like(parts.present))

    def _map(self, pattern: Mask, known: Mask) -> FloatArray:
        key = tuple(map(bool, pattern))
        if key not in self._maps:
            self._maps[key] = single(regression(self.covariance.astype(np.float64), known, self.ridge))
        return self._maps[key]


def regression(covariance: DoubleArray, known: Mask, ridge: float) -> DoubleArray:
    """Return the matrix from known centred columns to the expected unknown ones."""
    inner = covariance[np.ix_(known, known)]
    strength = max(ridge * float(np.trace(inner)) / len(inner), np.finfo(float).tiny)
    ridged = inner + strength * np.eye(len(inner))
    return np.asarray(np.linalg.solve(ridged, covariance[np.ix_(known, ~known)]), dtype=np.float64)


def choose_ridge(fitted: Moments, held_out: Moments, given: Sequence[Mask]) -> tuple[float, list[float]]:
    """Choose the ridge with which the columns in each mask predict all others best, on held-out words.

    Returns:
        The ridge and, for each mask, the share of the other columns' variance that is predicted.
    """
    covariance, errors = fitted.covariance, _about(held_out, fitted.mean)
    shares = {ridge: [_predicted(covariance, errors, known, ridge) for known in given] for ridge in RIDGES}
    best = max(RIDGES, key=lambda ridge: sum(shares[ridge]))
    return best, shares[best]


def _about(moments: Moments, centre: DoubleArray) -> DoubleArray:
    """Return the mean products of rows after subtracting `centre`."""
    offset = moments.mean - centre
    return moments.covariance + np.outer(offset, offset)


def all_but_one(dims: Sequence[int]) -> list[Mask]:
    """Return, for each input, the mask of the columns of all other inputs."""
    return [np.repeat(np.arange(len(dims)) != left_out, dims) for left_out in range(len(dims))]


def _predicted(covariance: DoubleArray, products: DoubleArray, known: Mask, ridge: float) -> float:
    """1 - ‖Y - XM‖² / ‖Y‖², from the products of held-out rows alone."""
    matrix = regression(covariance, known, ridge)
    whole = float(np.trace(products[np.ix_(~known, ~known)]))
    explained = 2 * np.sum(matrix * products[np.ix_(known, ~known)])
    explained -= np.sum(matrix * (products[np.ix_(known, known)] @ matrix))
    return float(explained) / whole if whole > 0 else 1.0
