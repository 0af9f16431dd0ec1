"""From the hash of a shortened spelling to the known words that have it."""

from __future__ import annotations

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.deletions import Hashes, deletion_hashes
from everyword.models.retrieval.spellings import WORDS_AT_ONCE, Spellings

HASH_BITS = 64
ENTRY_BITS = 32
KEYS_AT_ONCE = 1 << 16


class DeletionTable:
    """A hash table in two arrays.

    The highest bits of a hash choose a bucket; an entry of the bucket holds the next bits and the row of the word, four
    bytes in all. Different spellings may share all those bits by chance, so what is found has to be checked.
    """

    def __init__(self, keys: Hashes, words: int) -> None:
        """`keys` are made by `table_keys` with the same number of words; they are sorted in place."""
        self._row_bits = _row_bits(words)
        keys.sort()
        fresh = np.ones(len(keys), dtype=np.bool_)
        np.not_equal(keys[1:], keys[:-1], out=fresh[1:])  # leaving out either of two equal letters is the same
        count = int(np.count_nonzero(fresh))
        self._bucket_bits = max(1, count.bit_length() - 2)  # two to four entries in a bucket
        self._entries = np.empty(count, dtype=np.uint32)
        sizes = np.zeros((1 << self._bucket_bits) + 1, dtype=np.uint32)
        filled = 0
        for first in range(0, len(keys), KEYS_AT_ONCE):
            part = keys[first : first + KEYS_AT_ONCE][fresh[first : first + KEYS_AT_ONCE]]
            entries = (self._tags(part) << self._row_bits) | (part.astype(np.uint32) & self._row_mask)
            self._entries[filled : filled + len(part)] = entries
            filled += len(part)
            if len(part):
                buckets = self._buckets(part)
                # Keys are sorted, so those of a part fill few buckets.
                here = np.bincount(buckets - buckets[0])
                sizes[buckets[0] + 1 : buckets[0] + 1 + len(here)] += here.astype(np.uint32)
        self._begins = np.cumsum(sizes, out=sizes)

    @classmethod
    def of(cls, words: Spellings, deletions: IndexArray) -> DeletionTable:
        """The table of words, each with up to its number of letters left out."""
        keys = np.empty(_ways(words.lengths, deletions), dtype=np.uint64)
        filled = 0
        for most in np.unique(deletions).tolist():
            rows = np.flatnonzero(deletions == most)
            for first in range(0, len(rows), WORDS_AT_ONCE):
                part = rows[first : first + WORDS_AT_ONCE]
                hashes, owners = deletion_hashes(words.take(part), most)
                keys[filled : filled + len(hashes)] = table_keys(hashes, part[owners], len(words))
                filled += len(hashes)
        return cls(keys, len(words))

    def _buckets(self, hashes: Hashes) -> IndexArray:
        return (hashes >> np.uint64(HASH_BITS - self._bucket_bits)).astype(np.int64)

    @property
    def _row_mask(self) -> np.uint32:
        return np.uint32((1 << self._row_bits) - 1)

    def _tags(self, hashes: Hashes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        """The bits of hashes after those that choose the bucket."""
        return ((hashes << self._bucket_bits) >> (HASH_BITS - ENTRY_BITS + self._row_bits)).astype(np.uint32)

    def look_up(self, hashes: Hashes, below: IndexArray) -> tuple[IndexArray, IndexArray]:
        """Pairs of the place of a hash and the row of a word that has it, of rows below a number for each."""
        buckets = self._buckets(hashes)
        begins = self._begins[buckets].astype(np.int64)
        counts = self._begins[buckets + 1] - begins
        # Each hash with every entry of its bucket, without a Python loop.
        places = np.repeat(np.arange(len(hashes)), counts)
        begins -= np.cumsum(counts) - counts
        entries = self._entries[np.arange(len(places)) + begins[places]]
        # Only an entry with the bits of the hash is not too large for a row when these are taken from it.
        entries -= (self._tags(hashes) << self._row_bits)[places]
        same = (entries < np.minimum(below, 1 << self._row_bits).astype(np.uint32)[places]).nonzero()[0]
        return places[same], entries[same].astype(np.int64)


def _ways(lengths: IndexArray, deletions: IndexArray) -> int:
    """In how many ways letters of all words can be left out."""
    ways = 1 + np.where(deletions >= 1, lengths, 0) + np.where(deletions >= 2, lengths * (lengths - 1) // 2, 0)
    return int(ways.sum())


def table_keys(hashes: Hashes, rows: IndexArray, words: int) -> Hashes:
    """One number for a hash and a row below `words`: the last bits of the hash make room for the row."""
    bits = np.uint64(_row_bits(words))
    return ((hashes >> bits) << bits) | rows.astype(np.uint64)


def _row_bits(words: int) -> int:
    return max(1, (words - 1).bit_length())
