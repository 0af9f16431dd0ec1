"""A hash table from keys to known words in two arrays, and the words found for many keys at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import HashArray, IndexArray
from everyword.models.retrieval.keys import Kind, keys_of
from everyword.models.retrieval.runs import run_lengths, run_starts
from everyword.models.retrieval.spellings import WORDS_AT_ONCE
from everyword.models.retrieval.spelt_words import SpeltWords

HASH_BITS = 64
ENTRY_BITS = 32

MOST_OF_KEY = 10
"""How many words, the most frequent ones, are kept of a key."""
WHOLE_LIST = (Kind.ONE_OUT, Kind.WHOLE, Kind.SOUNDS, Kind.FIRST_SIX, Kind.FIRST_EIGHT)
"""Kinds by which every word is found; by the others, less exact, the more frequent half."""


class KeyTable:
    """The most frequent words of each key.

    The highest bits of a key choose a bucket; an entry of the bucket holds the next bits and the row of the word, four
    bytes in all. Other keys may share all those bits by chance: what is found need not be what was looked for.
    """

    def __init__(self, words: SpeltWords) -> None:
        """`words` come most frequent first."""
        self.row_bits = max(1, (len(words) - 1).bit_length())
        kept = self._most_frequent(self._all_keys(words))
        self.bucket_bits = max(1, len(kept).bit_length() - 1)  # one or two entries in a bucket
        buckets = (kept >> np.uint64(HASH_BITS - self.bucket_bits)).view(np.int64)
        self.begins = np.zeros((1 << self.bucket_bits) + 1, dtype=np.uint32)
        np.cumsum(np.bincount(buckets, minlength=1 << self.bucket_bits), out=self.begins[1:])
        self.entries = self._tags(kept) | (kept.astype(np.uint32) & np.uint32((1 << self.row_bits) - 1))

    def _all_keys(self, words: SpeltWords) -> HashArray:
        """Return the keys of words, with the row of the word in the last bits of each."""
        bits, half, collected = np.uint64(self.row_bits), (len(words) + 1) // 2, [np.empty(0, dtype=np.uint64)]
        for first in range(0, len(words), WORDS_AT_ONCE):
            keys, present, columns = keys_of(words.take(slice(first, first + WORDS_AT_ONCE)), asked=False)
            keys >>= bits
            keys <<= bits
            keys |= np.arange(first, first + len(keys), dtype=np.uint64)[:, None]
            if first >= half:
                kinds, counts = zip(*columns, strict=True)
                present &= np.repeat([kind in WHOLE_LIST for kind in kinds], counts)
            collected.append(keys[present])
        return np.concatenate(collected)

    def _most_frequent(self, keys: HashArray) -> HashArray:
        """Return keys in order, each with the most frequent of its words only."""
        keys.sort()
        keys = keys[run_starts(keys)]  # a word may have a key several times
        starts = run_starts(keys >> np.uint64(self.row_bits))
        nth = np.arange(len(keys)) - np.repeat(starts, run_lengths(starts, len(keys)))
        return keys[nth < MOST_OF_KEY]

    def _tags(self, keys: HashArray) -> NDArray[np.uint32]:
        """Return the bits of keys after those that choose the bucket, with room for a row."""
        upper = (keys << np.uint64(self.bucket_bits)) >> np.uint64(HASH_BITS - ENTRY_BITS)
        return upper.astype(np.uint32) & ~np.uint32((1 << self.row_bits) - 1)

    @property
    def nbytes(self) -> int:
        """Return the size in memory."""
        return self.begins.nbytes + self.entries.nbytes

    def look_up(self, keys: HashArray) -> tuple[IndexArray, IndexArray]:
        """Return pairs of the index of a key and the row of a word that has it."""
        buckets = (keys >> np.uint64(HASH_BITS - self.bucket_bits)).view(np.int64)
        begins = self.begins.take(buckets).astype(np.int64)
        counts = self.begins.take(buckets + 1) - begins
        # Each key with every entry of its bucket, without a Python loop.
        asked = np.repeat(np.arange(len(keys)), counts)
        begins -= np.cumsum(counts) - counts
        entries = self.entries.take(np.arange(len(asked)) + begins.take(asked))
        # Only an entry with the bits of the key is not too large for a row when these are taken from it.
        entries -= self._tags(keys).take(asked)
        same = (entries < 1 << self.row_bits).nonzero()[0]
        return asked.take(same), entries.take(same).astype(np.int64)

    def rows_of_one(self, keys: HashArray) -> IndexArray:
        """Return the rows of words that have one of the keys of a word, in order, each once."""
        buckets = (keys >> np.uint64(HASH_BITS - self.bucket_bits)).view(np.int64)
        begins, ends = self.begins.take([buckets, buckets + 1])
        counts = ends - begins
        # The first of all entries stands at 0, those of the next key after those of the last one.
        begins -= np.cumsum(counts, dtype=np.uint32)
        begins += counts
        at = np.repeat(begins, counts)
        at += np.arange(len(at), dtype=np.uint32)
        entries = self.entries.take(at)
        entries -= np.repeat(self._tags(keys), counts)
        rows = entries[entries < 1 << self.row_bits].astype(np.int64)
        rows.sort()
        return rows.take(run_starts(rows))
