"""Runs of equal numbers. Without `np.diff`: of a single word's few pairs its checks would take longer than all else."""

from __future__ import annotations

import numpy as np

from everyword.arrays import AnyArray, IndexArray


def run_starts(values: AnyArray) -> IndexArray:
    """Where each run of equal values begins.

    >>> run_starts(np.array([0, 0, 1, 2, 2])).tolist()
    [0, 2, 3]
    """
    begins = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins.nonzero()[0]


def run_lengths(starts: IndexArray, total: int) -> IndexArray:
    """How long each run is, `total` being the length of all.

    >>> run_lengths(np.array([0, 2, 3]), 5).tolist()
    [2, 1, 2]
    """
    ends = np.empty_like(starts)
    ends[:-1] = starts[1:]
    ends[-1:] = total
    ends -= starts
    return ends
