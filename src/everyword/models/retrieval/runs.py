"""Runs of equal numbers, and arithmetic over them: the pairs of a word and its candidates are one run.

Without `np.diff`: of a single word's few pairs its checks would take longer than all else.
"""

from __future__ import annotations

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray


def run_starts(values: AnyArray) -> IndexArray:
    """Return the index at which each run of equal values begins.

    >>> run_starts(np.array([0, 0, 1, 2, 2])).tolist()
    [0, 2, 3]
    """
    begins = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins.nonzero()[0]


def run_lengths(starts: IndexArray, total: int) -> IndexArray:
    """Return the length of each run, `total` being the length of all.

    >>> run_lengths(np.array([0, 2, 3]), 5).tolist()
    [2, 1, 2]
    """
    ends = np.empty_like(starts)
    ends[:-1] = starts[1:]
    ends[-1:] = total
    ends -= starts
    return ends


def run_sums(vectors: FloatArray, starts: IndexArray) -> FloatArray:
    """Return the sum of the vectors of each run.

    The first vectors of all runs, then the second ones, and so on: `np.add.reduceat` takes several times longer.

    >>> run_sums(np.array([[1.0], [2.0], [5.0]]), np.array([0, 2])).tolist()
    [[3.0], [5.0]]
    """
    counts = run_lengths(starts, len(vectors))
    sums = vectors[starts]
    for nth in range(1, int(counts.max(initial=1))):
        longer = (counts > nth).nonzero()[0]
        sums[longer] += vectors[starts[longer] + nth]
    return sums


def softmax_with_extra(
    scores: FloatArray, extras: FloatArray, query: IndexArray, starts: IndexArray
) -> tuple[FloatArray, FloatArray]:
    """Return the softmax over the scores of each word's pairs and its one extra: weights of pairs and of extras."""
    top = np.maximum(np.maximum.reduceat(scores, starts), extras)
    pairs, extra = np.exp(scores - top[query]), np.exp(extras - top)
    total = np.add.reduceat(pairs, starts) + extra
    return pairs / total[query], extra / total
