"""Counts of n-grams in two bytes each: a few bits of a hash and a few bits of the count's logarithm.

The hash of an n-gram chooses a bucket, where its fingerprint stands beside its count. A bucket begins where it would if
all were equally full, and a number of two bytes tells how far from there. An n-gram that was never counted is taken for
one that was in some 0.5 % of the cases; its count is then mostly a small one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, FloatArray, HashArray, IndexArray
from everyword.errors import DamagedModelError, InputError

FINGERPRINT_BITS, LEVEL_BITS = 11, 5
LEVELS = 1 << LEVEL_BITS
RATIO = 1.45
"""A level is so many times the count of the one before it: 32 of them reach from 1 to 100,000."""
LOAD = 10
"""Entries in a bucket, on the average."""
MOST_SHIFTED = np.iinfo(np.int16).max
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_HALF, _LOW = np.uint64(32), np.uint64((1 << FINGERPRINT_BITS) - 1)

Entries = NDArray[np.uint16]
Shifts = NDArray[np.int16]


def ngram_keys(*words: IndexArray) -> HashArray:
    """Return the hashes of n-grams, given the number of the first word of each, of the second word, and so on.

    >>> ngram_keys(np.array([1]), np.array([2])) == ngram_keys(np.array([2]), np.array([1]))
    array([False])
    """
    keys = np.full(len(words[0]), len(words), dtype=np.uint64)
    for word in words:
        keys = (keys ^ (word.astype(np.uint64) + np.uint64(1))) * _FIRST
        keys ^= keys >> _HALF
    keys *= _SECOND
    return keys ^ keys >> _HALF


class NgramTable:
    """The counts of n-grams, found by their hashes."""

    def __init__(self, entries: Entries, shifts: Shifts, least: float) -> None:
        self.entries = entries
        """Fingerprint and level of each n-gram, bucket by bucket."""
        self.shifts = shifts
        """How much later than expected each bucket begins, and how much later the last one ends: always 0."""
        self.least = least
        """The smallest count that was kept."""
        self._count_of_level: FloatArray = (least * RATIO ** np.arange(LEVELS)).astype(np.float32)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def buckets(self) -> int:
        """Return how many buckets there are."""
        return len(self.shifts) - 1

    @classmethod
    def build(cls, keys: HashArray, counts: FloatArray) -> NgramTable:
        """Return a table of distinct n-grams by their hashes; raise InputError if there are none."""
        if not len(keys):
            raise InputError("No n-gram was seen often enough; count on more text.")
        least = float(counts.min())
        if not least > 0:
            raise InputError(f"Counts must be above 0. Got {least} instead.")
        buckets = max(1, len(keys) // LOAD)
        bucket = _bucket_of(keys, buckets)
        level = np.rint(np.log(counts / least) / np.log(RATIO)).clip(0, LEVELS - 1).astype(np.uint16)
        entry: Entries = (keys & _LOW).astype(np.uint16) << np.uint16(LEVEL_BITS) | level
        order = np.lexsort((entry, bucket))
        begins = np.searchsorted(bucket[order], np.arange(buckets + 1))
        shifts = begins - _expected(np.arange(buckets + 1), len(keys), buckets)
        if np.abs(shifts).max() > MOST_SHIFTED:
            raise InputError("The n-grams are too unevenly hashed; are their keys those of ngram_keys?")
        return cls(entry[order], shifts.astype(np.int16), least)

    def counts(self, keys: HashArray) -> FloatArray:
        """Return the count of each n-gram, rounded to its level; 0 for one that was not seen often enough."""
        found = np.zeros(len(keys), dtype=np.float32)
        bucket = _bucket_of(keys, self.buckets)
        place = _expected(bucket, len(self.entries), self.buckets) + self.shifts[bucket]
        end = _expected(bucket + 1, len(self.entries), self.buckets) + self.shifts[bucket + 1]
        wanted = (keys & _LOW).astype(np.uint16)
        asked = (place < end).nonzero()[0]
        while len(asked):
            entry = self.entries[place[asked]]
            right = entry >> np.uint16(LEVEL_BITS) == wanted[asked]
            found[asked[right]] = self._count_of_level[entry[right] & np.uint16(LEVELS - 1)]
            asked = asked[~right]
            place[asked] += 1
            asked = asked[place[asked] < end[asked]]
        return found

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """Return the arrays to be saved, under a name."""
        least = np.array([self.least], dtype=np.float32)
        return {f"{name}.entries": self.entries, f"{name}.shifts": self.shifts, f"{name}.least": least}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], name: str) -> NgramTable:
        """Return a saved table; raise DamagedModelError if its arrays do not fit each other."""
        nothing = np.empty(0)
        entries, shifts, least = (tensors.get(f"{name}.{part}", nothing) for part in ("entries", "shifts", "least"))
        types = (np.uint16, np.int16, np.float32)
        right = all(array.dtype == kind for array, kind in zip((entries, shifts, least), types, strict=True))
        if not right or entries.ndim != 1 or shifts.ndim != 1 or least.shape != (1,):
            raise DamagedModelError(f"The {name} are incomplete; download or save the model again.")
        table = cls(entries, shifts, float(least[0]))
        if not len(entries) or len(shifts) < 2 or not 0 < table.least < np.inf or not table._in_order():
            raise DamagedModelError(f"The {name} are damaged; download or save the model again.")
        return table

    def _in_order(self) -> bool:
        begins = _expected(np.arange(len(self.shifts)), len(self.entries), self.buckets) + self.shifts
        return bool(begins[0] == 0 and begins[-1] == len(self.entries) and (begins[1:] >= begins[:-1]).all())


def _bucket_of(keys: HashArray, buckets: int) -> IndexArray:
    return ((keys >> _HALF) * np.uint64(buckets) >> _HALF).astype(np.int64)


def _expected(bucket: IndexArray, entries: int, buckets: int) -> IndexArray:
    return bucket * entries // buckets
