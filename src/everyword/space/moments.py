"""Sufficient statistics of many rows (count, sum, products), and what fits return."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray
from everyword.space.rows import blocks

DoubleArray = NDArray[np.float64]
"""Sums over many rows and what is solved from them: float32 would lose small directions."""

EMPTY = 1e-10
"""A direction with less than this share of the largest one's variance is rounding error."""


@dataclass(frozen=True)
class Moments:
    """Count, sum and products XᵀX of rows."""

    count: int
    total: DoubleArray
    products: DoubleArray

    @classmethod
    def of_blocks(cls, parts: Iterable[FloatArray], dim: int) -> Moments:
        """Compute the moments of rows that come in blocks."""
        count, total, products = 0, np.zeros(dim), np.zeros((dim, dim))
        for part in parts:
            rows = part.astype(np.float64)
            count += len(rows)
            total += rows.sum(axis=0)
            products += rows.T @ rows
        return cls(count, total, products)

    @classmethod
    def of(cls, matrix: FloatArray) -> Moments:
        """Compute the moments of the rows of a matrix."""
        return cls.of_blocks((matrix[part] for part in blocks(*matrix.shape)), matrix.shape[1])

    @property
    def mean(self) -> DoubleArray:
        """The mean row."""
        return self.total / max(1, self.count)

    @property
    def covariance(self) -> DoubleArray:
        """Covariance of the columns."""
        mean = self.mean
        covariance: DoubleArray = self.products / max(1, self.count) - np.outer(mean, mean)
        return covariance

    def without(self, other: Moments) -> Moments:
        """Return the moments without the rows of `other`."""
        return Moments(self.count - other.count, self.total - other.total, self.products - other.products)


def mean_row(matrix: FloatArray) -> DoubleArray:
    """Return the mean of the rows, in float64."""
    total = np.zeros(matrix.shape[1])
    for part in blocks(*matrix.shape):
        total += matrix[part].sum(axis=0, dtype=np.float64)
    return total / max(1, len(matrix))


def principal_directions(symmetric: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    """Return eigenvalues, largest first and never negative, and eigenvectors as columns with fixed signs."""
    values, vectors = np.linalg.eigh(symmetric)
    return np.maximum(values[::-1], 0.0), with_fixed_signs(vectors[:, ::-1])


def with_fixed_signs(columns: DoubleArray) -> DoubleArray:
    """Flip columns so that their largest entry is positive: an eigenvector's sign is arbitrary."""
    signs = column_signs(columns)
    fixed: DoubleArray = columns * signs
    return fixed


def column_signs(columns: DoubleArray) -> DoubleArray:
    """Return the sign of the largest entry of each column."""
    largest = columns[np.abs(columns).argmax(axis=0), np.arange(columns.shape[1])]
    return np.where(largest < 0, -1.0, 1.0)


def share(part: DoubleArray, whole: DoubleArray) -> float:
    """Return the share of the variance in some directions; 1 if there is no variance."""
    total = float(whole.sum())
    return float(part.sum()) / total if total > 0 else 1.0


Arrays = Mapping[str, FloatArray]


class Fit(NamedTuple):
    """The result of a fit: arrays that are applied, and figures for the user."""

    arrays: dict[str, FloatArray]
    facts: dict[str, float]


def single(array: DoubleArray) -> FloatArray:
    """Convert to contiguous float32."""
    return np.ascontiguousarray(array, dtype=np.float32)
