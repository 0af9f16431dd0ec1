"""A hash table from keys to known words in two arrays, and the words found for many keys at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, HashArray, IndexArray
from everyword.models.retrieval.keys import NO_KEY, Kind, SpeltWords, WordKeys
from everyword.models.retrieval.runs import run_lengths, run_starts
from everyword.models.retrieval.spellings import WORDS_AT_ONCE

HASH_BITS = 64
ENTRY_BITS = 32

FEW, MORE = 8, 16
MOST_OF_KEY: Mapping[Kind, int] = {
    Kind.ONE_OUT: MORE,
    Kind.WHOLE: 1,
    Kind.FIRST_SOUNDS: MORE,
    Kind.THREE_ONE: MORE,
}
"""How many words, the most frequent ones, are kept of a key; `FEW` of all other kinds."""
WHOLE_LIST = (Kind.ONE_OUT, Kind.WHOLE, Kind.SOUNDS)
"""Kinds by which every word is found; by the others, less exact, the more frequent half."""


class KeyTable:
    """The most frequent words of each key.

    The highest bits of a key choose a bucket; an entry of the bucket holds the next bits and the row of the word, four
    bytes in all. Other keys may share all those bits by chance: what is found need not be what was looked for.
    """

    def __init__(self, words: SpeltWords) -> None:
        """`words` come most frequent first."""
        self._row_bits = max(1, (len(words) - 1).bit_length())
        kept = np.concatenate([self._most_frequent(kind, keys) for kind, keys in _keys_by_kind(words)])
        kept.sort()
        self._bucket_bits = max(1, len(kept).bit_length() - 1)  # one or two entries in a bucket
        buckets = (kept >> np.uint64(HASH_BITS - self._bucket_bits)).astype(np.int64)
        sizes = np.bincount(buckets + 1, minlength=(1 << self._bucket_bits) + 1)
        self._begins = np.cumsum(sizes, dtype=np.uint32)
        rows = kept.astype(np.uint32) & np.uint32((1 << self._row_bits) - 1)
        self._entries = self._tags(kept) | rows

    @property
    def arrays(self) -> tuple[AnyArray, AnyArray]:
        """Return where each bucket begins, and the entries."""
        return self._begins, self._entries

    @property
    def bits(self) -> tuple[int, int]:
        """Return how many bits choose the bucket, and how many hold a row."""
        return self._bucket_bits, self._row_bits

    @property
    def nbytes(self) -> int:
        """Return the size in memory."""
        return self._begins.nbytes + self._entries.nbytes

    def _most_frequent(self, kind: Kind, keys: HashArray) -> HashArray:
        """Return keys, in which rows replace the last bits, of the most frequent words only."""
        keys.sort()
        keys = keys[run_starts(keys)]  # a word may have a key several times
        starts = run_starts(keys >> np.uint64(self._row_bits))
        nth = np.arange(len(keys)) - np.repeat(starts, run_lengths(starts, len(keys)))
        return keys[nth < MOST_OF_KEY.get(kind, FEW)]

    def _tags(self, keys: HashArray) -> NDArray[np.uint32]:
        """Return the bits of keys after those that choose the bucket, with room for a row."""
        upper = (keys << np.uint64(self._bucket_bits)) >> np.uint64(HASH_BITS - ENTRY_BITS)
        return upper.astype(np.uint32) & ~np.uint32((1 << self._row_bits) - 1)

    def look_up(self, keys: HashArray) -> tuple[IndexArray, IndexArray]:
        """Return pairs of the index of a key and the row of a word that has it."""
        buckets = (keys >> np.uint64(HASH_BITS - self._bucket_bits)).astype(np.int64)
        begins = self._begins[buckets].astype(np.int64)
        counts = self._begins[buckets + 1] - begins
        # Each key with every entry of its bucket, without a Python loop.
        asked = np.repeat(np.arange(len(keys)), counts)
        begins -= np.cumsum(counts) - counts
        entries = self._entries[np.arange(len(asked)) + begins[asked]]
        # Only an entry with the bits of the key is not too large for a row when these are taken from it.
        entries -= self._tags(keys)[asked]
        same = (entries < 1 << self._row_bits).nonzero()[0]
        return asked[same], entries[same].astype(np.int64)


def _keys_by_kind(words: SpeltWords) -> Iterator[tuple[Kind, HashArray]]:
    """Yield all keys of each kind, with the rows of their words in the last bits."""
    bits = np.uint64(max(1, (len(words) - 1).bit_length()))
    collected: dict[Kind, list[HashArray]] = {}
    half = (len(words) + 1) // 2
    for first in range(0, len(words), WORDS_AT_ONCE):
        some = WordKeys(words.take(slice(first, first + WORDS_AT_ONCE)))
        by_kind = {Kind.ONE_OUT: some.one_out(), Kind.WHOLE: some.whole, **some.single()}
        if first < half:
            by_kind[Kind.ONE_CLASS_OUT] = some.one_class_out()
        for kind, found in by_kind.items():
            if first < half or kind in WHOLE_LIST:
                keys = found.reshape(len(found), -1)
                rows = np.arange(first, first + len(keys), dtype=np.uint64)[:, None]
                with_rows = (keys >> bits) << bits | rows
                collected.setdefault(kind, []).append(with_rows[keys != NO_KEY])
    for kind, parts in collected.items():
        yield kind, np.concatenate(parts)
