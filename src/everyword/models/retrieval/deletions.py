"""Hashes of all spellings that leave out up to two characters of a word, and a table from them to known words.

Two words within edit distance d share a spelling with at most d deletions from each (the idea of SymSpell). With a
polynomial hash, H(w) = Σ c_j B^(j+1) modulo 2^64, a deletion only shifts what follows it, so the hash of a shortened
spelling comes from prefix sums: no shortened string is ever made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.spellings import WORDS_AT_ONCE, Spellings

Hashes = NDArray[np.uint64]

BASE = 0x9E3779B97F4A7C15
"""Odd, so that it has an inverse modulo 2^64."""
SHIFT_BY_ONE = np.uint64(pow(BASE, -1, 1 << 64))
SHIFT_BY_TWO = np.uint64(pow(BASE, -2, 1 << 64))
"""Factors that move what follows one or two deletions to its new position."""
KEPT_WIDTH = 64
"""Of words up to this length the ways to leave out letters are kept: those of very long ones would fill the memory."""

HASH_BITS = 64
ENTRY_BITS = 32
KEYS_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Deletions:
    """Spellings that leave out letters of words."""

    hashes: Hashes
    owner: IndexArray
    """The word that each belongs to."""
    way: IndexArray
    """Its index in `ways`."""
    ways: Ways


@dataclass(frozen=True)
class Ways:
    """All ways to leave out letters of a word up to a width."""

    width: int
    first: IndexArray
    second: IndexArray
    """The indices left out; `width` stands for none."""
    count: IndexArray
    """How many are left out."""
    needed: IndexArray
    """How long a word must be."""


@lru_cache(maxsize=64)
def ways_to_delete(width: int, deletions: int) -> Ways:
    """Return the ways to leave out 0 to `deletions` (at most 2) letters."""
    none, one = np.array([width]), np.arange(width if deletions >= 1 else 0)
    first, second = np.triu_indices(width if deletions >= 2 else 0, k=1)
    seconds = np.concatenate([none, np.full(len(one), width), second])
    return Ways(
        width,
        np.concatenate([none, one, first]),
        seconds,
        np.repeat([0, 1, 2], [1, len(one), len(first)]),
        np.concatenate([none - width, one + 1, second + 1]),
    )


def leave_out(words: Spellings, deletions: int) -> Deletions:
    """Return the words with 0 to `deletions` letters left out in all ways."""
    prefix = _prefix_sums(words)
    columns = prefix.shape[1]
    keep = columns - 2 <= KEPT_WIDTH
    ways = (ways_to_delete if keep else ways_to_delete.__wrapped__)(columns - 2, deletions)
    owner, way = np.nonzero(ways.needed <= words.lengths[:, None])
    row, one, other = owner * columns, ways.first[way], ways.second[way]
    flat = prefix.ravel()
    until_other, until_one = flat[row + other], flat[row + one]
    one += row + 1
    other += row + 1
    hashes = until_one + (until_other - flat[one]) * SHIFT_BY_ONE + (prefix[owner, -1] - flat[other]) * SHIFT_BY_TWO
    return Deletions(hashes, owner, way, ways)


def deletion_hashes(words: Spellings, deletions: int) -> tuple[Hashes, IndexArray]:
    """Return the hashes of words with 0 to `deletions` (at most 2) characters left out, and the word of each."""
    left_out = leave_out(words, deletions)
    return left_out.hashes, left_out.owner


def _prefix_sums(words: Spellings) -> Hashes:
    """Return prefix sums: column k is the hash of the first k characters, and padding adds nothing.

    The last column stands once more, so that leaving out what follows the longest word changes nothing.
    """
    width = int(words.lengths.max(initial=0))
    prefix = np.zeros((len(words), width + 2), dtype=np.uint64)
    np.cumsum(words.letters[:, : width + 1] * _powers(width + 1), axis=1, out=prefix[:, 1:])
    return prefix


@lru_cache(maxsize=64)
def _powers(width: int) -> Hashes:
    # The first letter too is multiplied: only the highest bits of a hash tell spellings apart.
    powers: Hashes = np.cumprod(np.full(width, BASE, dtype=np.uint64), dtype=np.uint64)
    return powers


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
        """Return the table of words, each with up to its number of letters left out."""
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
        """Return the bits of hashes after those that choose the bucket."""
        return ((hashes << self._bucket_bits) >> (HASH_BITS - ENTRY_BITS + self._row_bits)).astype(np.uint32)

    def look_up(self, hashes: Hashes, below: IndexArray) -> tuple[IndexArray, IndexArray]:
        """Return pairs of the index of a hash and the row of a word that has it, for rows below a limit per hash."""
        buckets = self._buckets(hashes)
        begins = self._begins[buckets].astype(np.int64)
        counts = self._begins[buckets + 1] - begins
        # Each hash with every entry of its bucket, without a Python loop.
        queries = np.repeat(np.arange(len(hashes)), counts)
        begins -= np.cumsum(counts) - counts
        entries = self._entries[np.arange(len(queries)) + begins[queries]]
        # Only an entry with the bits of the hash is not too large for a row when these are taken from it.
        entries -= (self._tags(hashes) << self._row_bits)[queries]
        same = (entries < np.minimum(below, 1 << self._row_bits).astype(np.uint32)[queries]).nonzero()[0]
        return queries[same], entries[same].astype(np.int64)


def _ways(lengths: IndexArray, deletions: IndexArray) -> int:
    """Return in how many ways letters of all words can be left out."""
    ways = 1 + np.where(deletions >= 1, lengths, 0) + np.where(deletions >= 2, lengths * (lengths - 1) // 2, 0)
    return int(ways.sum())


def table_keys(hashes: Hashes, rows: IndexArray, words: int) -> Hashes:
    """Return one number for a hash and a row below `words`: the last bits of the hash make room for the row."""
    bits = np.uint64(_row_bits(words))
    return ((hashes >> bits) << bits) | rows.astype(np.uint64)


def _row_bits(words: int) -> int:
    return max(1, (words - 1).bit_length())
