"""Rank correlation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray


def average_ranks(values: AnyArray) -> npt.NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of their ranks.

    >>> average_ranks(np.array([10, 20, 10])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: npt.NDArray[np.float64] = (last - (counts - 1) / 2)[place]
    return ranks


def spearman(first: AnyArray, second: AnyArray) -> float:
    """Spearman's rank correlation; 0.0 when one side is constant.

    >>> spearman(np.array([1, 2, 3]), np.array([10, 30, 20]))
    0.5
    """
    one, other = (ranks - ranks.mean() for ranks in (average_ranks(first), average_ranks(second)))
    spread = np.sqrt((one @ one) * (other @ other))
    return float(one @ other / spread) if spread > 0 else 0.0
