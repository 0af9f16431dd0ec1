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
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class HashTable:
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
        return ((numbers * SPREAD) >> self._shift).astype(np.int64)


ROW_BITS = 24
MOST_WORDS = 1 << ROW_BITS


@dataclass(frozen=True)
class _Phrases:
    """The words of one number of runs, two or more."""

    size: int
    openings: BoolArray
    """Which first runs they begin with."""
    index: HashTable


class WordMatcher:
    """A list of words; those that differ in case only share a row."""

    def __init__(self, words: Sequence[str]) -> None:
        if len(words) > MOST_WORDS:
            raise InputError(f"At most {MOST_WORDS:,} words can be looked for. Got {len(words):,}; divide the list.")
        keys = [spelling(word) for word in words]
        row = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.row_of_word = [row[key] for key in keys]
        self.spellings = list(row)
        sizes = np.array([_size(key) for key in self.spellings])
        self.never_found = np.flatnonzero(sizes == 0)
        """Rows of words that are no whole runs of letters, such as "c++" and "...": no text can hold them."""
        runs = WordSpans(self.spellings)  # numbered by the same code that reads a text
        findable = np.flatnonzero(sizes)
        numbers, first = np.unique(runs.hashes()[runs.bounds[findable]], return_inverse=True)
        self._first_runs = HashTable(numbers, np.arange(len(numbers)))
        """With what the words begin; most first runs are words themselves."""
        first_run = np.full(len(sizes), NOT_LISTED)
        first_run[findable] = first
        single = np.flatnonzero(sizes == 1)
        self._word = np.full(len(numbers) + 1, NOT_LISTED)  # one more, for what is not listed
        self._word[first_run[single]] = single
        self._phrases = [
            _phrases(size, rows, first_run[rows], runs, len(numbers))
            for size in np.unique(sizes[sizes > 1]).tolist()
            if len(rows := np.flatnonzero(sizes == size))
        ]

    def mentions(self, runs: WordSpans, numbers: HashArray) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Rows and lines of all mentions: words first, then phrases by their length; `numbers` are those of runs."""
        first_runs = self._first_runs.rows(numbers)
        rows = self._word.take(first_runs, mode="wrap")
        found = np.flatnonzero(rows != NOT_LISTED)
        yield rows[found], runs.line[found]
        for phrases in self._phrases:
            first = np.flatnonzero(phrases.openings.take(first_runs, mode="wrap"))
            first = first[first + phrases.size <= len(numbers)]
            first = first[runs.line[first] == runs.line[first + phrases.size - 1]]
            rows = phrases.index.rows(runs.phrase_hashes(first, phrases.size))
            found = np.flatnonzero(rows != NOT_LISTED)
            yield rows[found], runs.line[first[found]]


def _size(key: str) -> int:
    """How many runs of letters a word fills; none if it begins or ends with something else."""
    runs = list(WORD_PATTERN.finditer(key))
    whole = bool(runs) and runs[0].start() == 0 and runs[-1].end() == len(key)
    return len(runs) if whole else 0


def _phrases(size: int, rows: IndexArray, first_runs: IndexArray, runs: WordSpans, how_many: int) -> _Phrases:
    openings = np.zeros(how_many + 1, dtype=np.bool_)
    openings[first_runs] = True
    return _Phrases(size, openings, HashTable(runs.phrase_hashes(runs.bounds[rows], size), rows))
