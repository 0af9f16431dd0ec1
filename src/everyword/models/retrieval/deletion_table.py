"""From the hash of a shortened spelling to the known words that have it."""

from __future__ import annotations

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.deletions import Hashes

HASH_BITS = 64
ENTRY_BITS = 32


class DeletionTable:
    """A hash table in two arrays.

    The highest bits of a hash choose a bucket; an entry of the bucket holds the next bits and the row of the word, four
    bytes in all. Different spellings may share all those bits by chance, so what is found has to be checked.
    """

    def __init__(self, keys: Hashes, words: int) -> None:
        """`keys` are made by `table_keys` with the same number of words; they are sorted in place."""
        self._row_bits = _row_bits(words)
        keys.sort()
        keys = keys[np.diff(keys, prepend=~keys[:1]) != 0]  # leaving out either of two equal letters is the same
        self._bucket_bits = max(1, len(keys).bit_length() - 1)
        buckets = (keys >> np.uint64(HASH_BITS - self._bucket_bits)).astype(np.int64)
        self._begins = np.zeros((1 << self._bucket_bits) + 1, dtype=np.uint32)
        np.cumsum(np.bincount(buckets, minlength=1 << self._bucket_bits), out=self._begins[1:])
        self._entries = (self._tags(keys) << self._row_bits) | (keys.astype(np.uint32) & self._row_mask)

    @property
    def _row_mask(self) -> np.uint32:
        return np.uint32((1 << self._row_bits) - 1)

    def _tags(self, hashes: Hashes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        """The bits of hashes after those that choose the bucket."""
        return ((hashes << self._bucket_bits) >> (HASH_BITS - ENTRY_BITS + self._row_bits)).astype(np.uint32)

    def look_up(self, hashes: Hashes) -> tuple[IndexArray, IndexArray]:
        """Pairs of the place of a hash and the row of a word that has it."""
        buckets = (hashes >> np.uint64(HASH_BITS - self._bucket_bits)).astype(np.int64)
        begins = self._begins[buckets].astype(np.int64)
        counts = self._begins[buckets + 1] - begins
        # Each hash with every entry of its bucket, without a Python loop.
        places = np.repeat(np.arange(len(hashes)), counts)
        before = np.cumsum(counts) - counts
        entries = self._entries[np.arange(len(places)) + (begins - before)[places]]
        same = np.flatnonzero(entries >> self._row_bits == self._tags(hashes)[places])
        return places[same], (entries[same] & self._row_mask).astype(np.int64)


def table_keys(hashes: Hashes, rows: IndexArray, words: int) -> Hashes:
    """One number for a hash and a row below `words`: the last bits of the hash make room for the row."""
    bits = np.uint64(_row_bits(words))
    return ((hashes >> bits) << bits) | rows.astype(np.uint64)


def _row_bits(words: int) -> int:
    return max(1, (words - 1).bit_length())
