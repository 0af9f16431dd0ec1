"""From large numbers to rows, for many at once: a hash table in two arrays."""

from __future__ import annotations

import numpy as np

from everyword.arrays import HashArray, IndexArray

NOT_LISTED = -1
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class NumberIndex:
    """Distinct numbers, each with a row; a number whose slot is taken lies in the next free one."""

    def __init__(self, numbers: HashArray, rows: IndexArray) -> None:
        bits = max(len(numbers).bit_length() + 1, 4)
        self._shift, self._mask = np.uint64(64 - bits), (1 << bits) - 1
        self._numbers = np.zeros(1 << bits, dtype=np.uint64)
        self._rows = np.full(1 << bits, NOT_LISTED, dtype=np.int64)
        waiting, slots = np.arange(len(numbers)), self._slots(numbers)
        while len(waiting):
            free = np.flatnonzero(self._rows[slots] == NOT_LISTED)
            taken, winners = np.unique(slots[free], return_index=True)
            placed = free[winners]
            self._numbers[taken], self._rows[taken] = numbers[waiting[placed]], rows[waiting[placed]]
            waiting, slots = np.delete(waiting, placed), (np.delete(slots, placed) + 1) & self._mask

    def rows(self, numbers: HashArray) -> IndexArray:
        """The row of each number, or -1.

        >>> NumberIndex(np.array([7, 5], np.uint64), np.array([0, 1])).rows(np.array([5, 6, 7], np.uint64)).tolist()
        [1, -1, 0]
        """
        slots = self._slots(numbers)
        rows = self._rows.take(slots)
        other = np.flatnonzero((self._numbers.take(slots) != numbers) & (rows != NOT_LISTED))
        slots = slots[other]
        while len(other):
            slots = (slots + 1) & self._mask
            found = self._rows[slots]
            rows[other] = found
            still = (self._numbers[slots] != numbers[other]) & (found != NOT_LISTED)
            other, slots = other[still], slots[still]
        return rows

    def _slots(self, numbers: HashArray) -> IndexArray:
        return ((numbers * SPREAD) >> self._shift).astype(np.int64)
