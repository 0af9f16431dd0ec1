"""Exact nearest neighbours by cosine, in blocks of bounded memory."""

from __future__ import annotations

from math import sqrt

import numpy as np

from everyword import kernel
from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError

SCORES_AT_ONCE = 1 << 24
FLOATS_AT_ONCE = 1 << 18
PAIRS_AT_ONCE = 1 << 16
GROUPS = 1024
# More than the rounding error of a float32 product of unit vectors; candidates this close are rescored.
SLACK = np.float32(1e-5)
# Between these a sum of squares is exact enough in float32: none of its large parts can have been lost.
SMALL_SQUARE, LARGE_SQUARE = np.float32(1e-24), np.float32(1e36)
BELOW_ANY_COSINE = np.float32(-4.0)


def unit_rows(matrix: AnyArray, *, in_place: bool = False) -> FloatArray:
    """Scale rows to length 1; zero rows stay zero.

    Args:
        matrix: Vectors, one per row.
        in_place: Overwrite a float32 matrix instead of copying it.

    Returns:
        The float32 unit vectors.
    """
    units = matrix if in_place else np.empty(matrix.shape, dtype=np.float32)
    step = max(1, FLOATS_AT_ONCE // max(1, matrix.shape[1]))
    for start in range(0, len(matrix), step):
        # float64, because the square of a small or large float32 is no float32.
        rows = matrix[start : start + step].astype(np.float64)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        units[start : start + step] = rows / np.where(norms > 0, norms, 1.0)
    return units


def rows_of_length(matrix: FloatArray, length: float) -> FloatArray:
    """Scale float32 rows in index to one length; zero rows stay zero."""
    if kernel.compiled and matrix.dtype == np.float32 and matrix.flags.carray:
        kernel.scale_rows(matrix, length)
        return matrix
    if len(matrix) == 1:  # a vector on its own should not pay for the checks of many
        square = float(matrix[0] @ matrix[0])
        if SMALL_SQUARE < square < LARGE_SQUARE:
            matrix *= np.float32(length / sqrt(square))
            return matrix
    squares = np.einsum("ij,ij->i", matrix, matrix)
    smallest, largest = np.minimum.reduce(squares, initial=1.0), np.maximum.reduce(squares, initial=1.0)
    if smallest > SMALL_SQUARE and largest < LARGE_SQUARE:
        matrix *= (np.float32(length) / np.sqrt(squares))[:, None]
    else:
        unit_rows(matrix, in_place=True)
        matrix *= np.float32(length)
    return matrix


def exact_neighbours(
    queries: AnyArray,
    matrix: AnyArray,
    k: int,
    *,
    block: int | None = None,
    exclude_self: bool = False,
    matrix_is_unit: bool = False,
) -> tuple[IndexArray, FloatArray]:
    """Find the rows with the largest cosine to each query, best first; equal cosines by lower index.

    Args:
        queries: Query vectors, one per row.
        matrix: Vectors to search, one per row.
        k: Number of neighbours; a number larger than the table is clipped.
        block: Number of queries at once; by default, bounded by memory.
        exclude_self: The queries are the first rows of the matrix, and query i must not find row i.
        matrix_is_unit: The rows of the matrix have length 1 already.

    Returns:
        Indices and cosines, each of shape (queries, k).

    Raises:
        InputError: If the shapes do not match or `k` is below 1.
    """
    _check(queries, matrix, k, exclude_self)
    k = min(k, max(0, len(matrix) - int(exclude_self)))
    block = block or max(1, SCORES_AT_ONCE // max(1, len(matrix)))
    targets = matrix if matrix_is_unit else unit_rows(matrix)
    indices = np.empty((len(queries), k), dtype=np.intp)
    cosines = np.empty((len(queries), k), dtype=np.float32)
    for start in range(0, len(queries) if k else 0, block):
        part = unit_rows(queries[start : start + block])
        scores = part @ targets.T
        if exclude_self:
            scores[np.arange(len(part)), np.arange(start, start + len(part))] = BELOW_ANY_COSINE
        # A zero vector is as far from every row: the first ones are its neighbours, and no other need be compared.
        scores[~part.any(axis=1), k + int(exclude_self) :] = BELOW_ANY_COSINE
        stop = start + len(part)
        indices[start:stop], cosines[start:stop] = _best(scores, part, targets, k)
    return indices, cosines


def _check(queries: AnyArray, matrix: AnyArray, k: int, exclude_self: bool) -> None:
    if queries.ndim != 2 or matrix.ndim != 2 or queries.shape[1] != matrix.shape[1]:
        raise InputError(f"Queries of shape {queries.shape} do not fit a table of shape {matrix.shape}.")
    if k < 1:
        raise InputError(f"The number of neighbours must be at least 1. Got {k} instead.")
    if exclude_self and len(queries) > len(matrix):
        raise InputError(f"With exclude_self the {len(queries)} queries must be rows of the table of {len(matrix)}.")


def _best(scores: FloatArray, queries: FloatArray, targets: FloatArray, k: int) -> tuple[IndexArray, FloatArray]:
    """Return the top `k` of each row of scores.

    Only scores at or above a lower bound of the k-th best are looked at. They are computed again pair by pair in
    float64: a block product rounds equal rows differently at different positions, and ties would fall at random.
    """
    bounds = _kth_best_bounds(scores, k) - SLACK
    candidates = np.flatnonzero(scores >= bounds[:, None])
    query, target = np.divmod(candidates, scores.shape[1])
    exact = _pair_cosines(queries, targets, query, target)
    order = np.lexsort((target, -exact, query))
    # Each query has at least k candidates, so its first k stand where its candidates begin.
    begins = np.searchsorted(query, np.arange(len(scores)))
    top = order[begins[:, None] + np.arange(k)]
    return target[top], exact[top]


def _kth_best_bounds(scores: FloatArray, k: int) -> FloatArray:
    """Return a lower bound of the k-th best score of each row.

    The maxima of disjoint groups are themselves scores, so the k-th largest maximum will do. Finding maxima is many
    times faster than partitioning whole rows.
    """
    groups = max(GROUPS, 4 * k)
    per_group = scores.shape[1] // groups
    if per_group < 2:
        maxima = scores
    else:
        maxima = scores[:, : per_group * groups].reshape(len(scores), per_group, groups).max(axis=1)
    index = maxima.shape[1] - k
    bounds: FloatArray = np.partition(maxima, index, axis=1)[:, index]
    return bounds


def _pair_cosines(queries: FloatArray, targets: FloatArray, query: IndexArray, target: IndexArray) -> FloatArray:
    cosines = np.empty(len(query), dtype=np.float32)
    for start in range(0, len(query), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        left, right = queries[query[part]].astype(np.float64), targets[target[part]]
        cosines[part] = np.einsum("ij,ij->i", left, right)
    return cosines
