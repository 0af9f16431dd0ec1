"""How much there is of each of very many things: sorted numbers that stand for them, merged as they come."""

from __future__ import annotations

import numpy as np

from everyword.arrays import AnyArray, IndexArray

Run = tuple[IndexArray, AnyArray]
"""Numbers in order, each once, and how much there is of each."""


class Tally:
    """Adds up runs; memory is that of the different numbers, a few times."""

    def __init__(self) -> None:
        self._runs: list[Run] = []

    def add(self, keys: IndexArray, counts: AnyArray) -> None:
        """Count what a run holds."""
        self._runs.append((keys, counts))
        # Runs of like size are merged, so that none is copied more than a few times.
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._runs[-2:] = [_merged(self._runs[-2:])]

    def total(self) -> Run:
        """All numbers in order, and the sum of each."""
        return _merged(self._runs)


def _merged(runs: list[Run]) -> Run:
    if len(runs) == 1:
        return runs[0]
    keys, counts = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[starts], np.add.reduceat(counts, starts)
