"""Overlap of nearest neighbours before and after a change of space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.vectors.neighbours import exact_neighbours

CANDIDATES = 20_000
QUERIES = 500


def neighbour_overlap(before: FloatArray, after: FloatArray, *, k: int = 10) -> float | None:
    """Return the mean share of a word's `k` nearest words that stay among them.

    Measured for 500 words spread over the first 20,000, among those 20,000: seconds for a table of any size.

    Args:
        before: Vectors of the words before the change.
        after: Vectors of the same words after it.
        k: Number of neighbours.

    Returns:
        The share, or None for fewer than k + 1 words.
    """
    if len(before) != len(after):
        raise InputError(f"Both spaces need the same words. Got {len(before)} and {len(after)} rows.")
    candidates = min(CANDIDATES, len(before))
    if candidates < k + 1:
        return None
    queries = np.unique(np.linspace(0, candidates - 1, min(QUERIES, candidates)).astype(np.intp))
    near_before, near_after = (_others(space[:candidates], queries, k) for space in (before, after))
    return agreement(near_before, near_after)


def agreement(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> float:
    """Return the mean share of entries that two parallel lists have in common.

    >>> agreement([[1, 2], [3, 4]], [[2, 1], [4, 5]])
    0.75
    """
    return float(np.mean([len(set(one) & set(two)) / len(one) for one, two in zip(first, second, strict=True)]))


def _others(space: FloatArray, queries: np.ndarray[tuple[int], np.dtype[np.intp]], k: int) -> list[list[int]]:
    """The `k` nearest rows of each query row, not counting itself."""
    found, _ = exact_neighbours(space[queries], space, k + 1)
    return [[row for row in rows if row != query][:k] for query, rows in zip(queries, found.tolist(), strict=True)]
