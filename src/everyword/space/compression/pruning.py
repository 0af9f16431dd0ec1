"""Magnitude pruning: the smallest numbers of a matrix become zero.

Gordon, Duh and Andrews, "Compressing BERT: Studying the Effects of Weight Pruning on Transfer Learning" (RepL4NLP
2020), for tables of word vectors.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from everyword.arrays import AnyArray, BoolArray, FloatArray
from everyword.errors import InputError
from everyword.space.rows import blocks

Scope = Literal["matrix", "row", "column"]


def magnitude_mask(matrix: FloatArray, sparsity: float, scope: Scope = "matrix") -> BoolArray:
    """Return which numbers stay: all but the smallest share, of the whole matrix or of each row or column.

    Exactly the share is left out, rounded to a whole number; of equal numbers the first go.

    >>> magnitude_mask(np.array([[3.0, -1.0], [0.5, 2.0]], dtype=np.float32), 0.5).tolist()
    [[True, False], [False, True]]
    """
    return _mask(np.abs(matrix), sparsity, scope)


def random_mask(shape: tuple[int, int], sparsity: float, scope: Scope = "matrix", seed: int = 0) -> BoolArray:
    """Return which numbers stay if the share is left out at random: what pruning by magnitude has to beat."""
    return _mask(np.random.default_rng(seed).random(shape, dtype=np.float32), sparsity, scope)


def prune(matrix: FloatArray, sparsity: float, scope: Scope = "matrix") -> FloatArray:
    """Return the matrix with its smallest numbers set to zero."""
    return np.where(magnitude_mask(matrix, sparsity, scope), matrix, np.float32(0))


def mask_difference(first: BoolArray, second: BoolArray) -> float:
    """Return the share of places in which two masks disagree.

    >>> mask_difference(np.array([True, True]), np.array([True, False]))
    0.5
    """
    if first.shape != second.shape:
        raise InputError(f"Two masks must have one shape. Got {first.shape} and {second.shape} instead.")
    return float((first != second).mean()) if first.size else 0.0


class RankMovement(NamedTuple):
    """How far numbers moved in the order of their magnitudes, as a share of how many there are."""

    mean: float
    deviation: float


def rank_movement(before: AnyArray, after: AnyArray) -> RankMovement:
    """Return how far the magnitudes of a matrix moved in their order.

    >>> rank_movement(np.array([1.0, -2.0, 3.0]), np.array([1.0, 2.0, 9.0])).mean
    0.0
    """
    if before.shape != after.shape:
        raise InputError(f"Two matrices must have one shape. Got {before.shape} and {after.shape} instead.")
    if not before.size:
        return RankMovement(0.0, 0.0)
    moved = np.abs(_ranks(before) - _ranks(after)) / before.size
    return RankMovement(float(moved.mean()), float(moved.std()))


def _ranks(matrix: AnyArray) -> AnyArray:
    order = np.argsort(np.abs(matrix), axis=None, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order))
    return ranks


def _mask(sizes: FloatArray, sparsity: float, scope: Scope) -> BoolArray:
    if not 0 <= sparsity < 1:
        raise InputError(f"The sparsity must be 0 or more and below 1. Got {sparsity} instead.")
    if scope not in get_args(Scope):
        raise InputError(f"The scope must be matrix, row or column. Got {scope!r} instead.")
    if scope == "column":
        return np.ascontiguousarray(_mask(np.ascontiguousarray(sizes.T), sparsity, "row").T)
    if scope == "matrix":
        return _largest(sizes.reshape(1, -1), sparsity).reshape(sizes.shape)
    kept = [_largest(sizes[part], sparsity) for part in blocks(*sizes.shape)]
    return np.concatenate(kept) if kept else np.ones(sizes.shape, dtype=bool)


def _largest(rows: FloatArray, sparsity: float) -> BoolArray:
    """Return which numbers of each row are not among its smallest; of equal numbers the first are the smaller ones."""
    removed = round(sparsity * rows.shape[1])
    if not removed:
        return np.ones(rows.shape, dtype=bool)
    threshold = np.partition(rows, removed - 1, axis=1)[:, removed - 1 : removed]
    kept: BoolArray = rows > threshold
    row, column = np.nonzero(rows == threshold)
    ties = np.bincount(row, minlength=len(rows))
    first = ties - (rows.shape[1] - removed - kept.sum(axis=1))
    place = np.arange(len(row)) - np.repeat(np.cumsum(ties) - ties, ties)
    stays = place >= first[row]
    kept[row[stays], column[stays]] = True
    return kept
