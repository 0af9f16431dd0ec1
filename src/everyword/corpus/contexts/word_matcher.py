"""Find the words of a list in text by their hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import BoolArray, HashArray, IndexArray
from everyword.corpus.contexts.word_spans import WordSpans
from everyword.errors import InputError
from everyword.text.word_pattern import WORD_PATTERN, spelling

NOT_LISTED = -1
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
ROW_BITS = 24
MAX_WORDS = 1 << ROW_BITS


class HashTable:
    """A hash table in two arrays, from distinct numbers to rows, for many look-ups at once (linear probing)."""

    def __init__(self, numbers: HashArray, rows: IndexArray) -> None:
        bits = max(len(numbers).bit_length() + 1, 4)
        self._shift, self._mask = np.uint64(64 - bits), (1 << bits) - 1
        self._numbers = np.zeros(1 << bits, dtype=np.uint64)
        self._rows = np.full(1 << bits, NOT_LISTED, dtype=np.int64)
        pending, slots = np.arange(len(numbers)), self._slots(numbers)
        while len(pending):
            free = np.flatnonzero(self._rows[slots] == NOT_LISTED)
            taken, winners = np.unique(slots[free], return_index=True)
            stored = free[winners]
            self._numbers[taken], self._rows[taken] = numbers[pending[stored]], rows[pending[stored]]
            pending, slots = np.delete(pending, stored), (np.delete(slots, stored) + 1) & self._mask

    def rows(self, numbers: HashArray) -> IndexArray:
        """Return the row of each number, or -1.

        >>> HashTable(np.array([7, 5], np.uint64), np.array([0, 1])).rows(np.array([5, 6, 7], np.uint64)).tolist()
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
        return ((numbers * MULTIPLIER) >> self._shift).astype(np.int64)


@dataclass(frozen=True)
class _Phrases:
    """The words of the list that fill the same number of spans, two or more."""

    size: int
    openings: BoolArray
    """Which first spans they begin with."""
    table: HashTable


class WordMatcher:
    """Finds words and phrases of a list; those that differ in case only share a row."""

    def __init__(self, words: Sequence[str]) -> None:
        if len(words) > MAX_WORDS:
            raise InputError(f"At most {MAX_WORDS:,} words can be searched for. Got {len(words):,}; divide the list.")
        keys = [spelling(word) for word in words]
        row = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.row_of_word = [row[key] for key in keys]
        self.spellings = list(row)
        sizes = np.array([_size(key) for key in self.spellings])
        self.unfindable = np.flatnonzero(sizes == 0)
        """Rows of words such as "c++" and "...", which do not fill whole spans: no text can contain them."""
        spans = WordSpans(self.spellings)  # hashed by the same code that reads a text
        findable = np.flatnonzero(sizes)
        hashes, first = np.unique(spans.hashes()[spans.bounds[findable]], return_inverse=True)
        self._first_spans = HashTable(hashes, np.arange(len(hashes)))
        """With what the words begin; most first spans are words themselves."""
        first_span = np.full(len(sizes), NOT_LISTED)
        first_span[findable] = first
        single = np.flatnonzero(sizes == 1)
        self._word = np.full(len(hashes) + 1, NOT_LISTED)  # one more, for what is not listed
        self._word[first_span[single]] = single
        self._phrases = [
            _phrases(size, rows, first_span[rows], spans, len(hashes))
            for size in np.unique(sizes[sizes > 1]).tolist()
            if len(rows := np.flatnonzero(sizes == size))
        ]

    def mentions(self, spans: WordSpans) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield rows and lines of all mentions: single words first, then phrases by their length."""
        first_spans = self._first_spans.rows(spans.hashes())
        rows = self._word.take(first_spans, mode="wrap")
        found = np.flatnonzero(rows != NOT_LISTED)
        yield rows[found], spans.line[found]
        for phrases in self._phrases:
            first = np.flatnonzero(phrases.openings.take(first_spans, mode="wrap"))
            first = first[first + phrases.size <= len(first_spans)]
            first = first[spans.line[first] == spans.line[first + phrases.size - 1]]
            rows = phrases.table.rows(spans.phrase_hashes(first, phrases.size))
            found = np.flatnonzero(rows != NOT_LISTED)
            yield rows[found], spans.line[first[found]]


def _size(key: str) -> int:
    """Return how many spans a word fills; 0 if it begins or ends with something other than a letter or digit."""
    spans = list(WORD_PATTERN.finditer(key))
    whole = bool(spans) and spans[0].start() == 0 and spans[-1].end() == len(key)
    return len(spans) if whole else 0


def _phrases(size: int, rows: IndexArray, first_spans: IndexArray, spans: WordSpans, count: int) -> _Phrases:
    openings = np.zeros(count + 1, dtype=np.bool_)
    openings[first_spans] = True
    return _Phrases(size, openings, HashTable(spans.phrase_hashes(spans.bounds[rows], size), rows))
