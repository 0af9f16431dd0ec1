"""Intervals by the bootstrap: how much a score would differ on other items of the same kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, IndexArray

DRAWS = 1000
TAILS = (2.5, 97.5)
"""Percentiles of 95 % of the draws."""


def mean_interval(
    values: AnyArray, groups: AnyArray | None = None, *, draws: int = DRAWS, seed: int = 0
) -> tuple[float, float]:
    """Return the interval of a mean.

    Args:
        values: A number for each item, such as 100 for right and 0 for wrong.
        groups: The number of the text of each item: texts are drawn, because items of one text are alike.
        draws: How many times items are drawn with replacement.
        seed: Of the random numbers.

    >>> mean_interval(np.full(10, 5.0))
    (5.0, 5.0)
    """
    return ratio_interval(values, np.ones(len(values)), groups, draws=draws, seed=seed)


def ratio_interval(
    parts: AnyArray, wholes: AnyArray, groups: AnyArray | None = None, *, draws: int = DRAWS, seed: int = 0
) -> tuple[float, float]:
    """Return the interval of the sum of parts by the sum of wholes, which is F1 if a part is twice the correct labels.

    Args:
        parts: A number for each item.
        wholes: Another one, such as the labels that it has and those that were said.
        groups: The number of the text of each item.
        draws: How many times items are drawn with replacement.
        seed: Of the random numbers.
    """
    group_of = np.arange(len(parts)) if groups is None else np.unique(groups, return_inverse=True)[1]
    sums, counts = (np.bincount(group_of, np.asarray(one, dtype=np.float64)) for one in (parts, wholes))
    found = [sums[rows].sum() / max(counts[rows].sum(), 1) for rows in _draws(len(sums), draws, seed)]
    low, high = np.percentile(found, TAILS)
    return float(low), float(high)


def drawn_interval(
    score: Callable[[IndexArray], float], items: int, *, draws: int = DRAWS, seed: int = 0
) -> tuple[float, float]:
    """Return the interval of any score, given a function of the rows of the items that were drawn."""
    low, high = np.percentile([score(rows) for rows in _draws(items, draws, seed)], TAILS)
    return float(low), float(high)


def _draws(items: int, draws: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(items, size=(draws, items))
