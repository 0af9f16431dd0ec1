"""The words that are looked for, found by their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import BoolArray, HashArray, IndexArray
from everyword.corpus.contexts.number_index import NOT_LISTED, NumberIndex
from everyword.corpus.contexts.word_spans import Runs
from everyword.errors import InputError
from everyword.text.word_pattern import WORD_PATTERN, spelling

ROW_BITS = 24
MOST_WORDS = 1 << ROW_BITS


@dataclass(frozen=True)
class _Phrases:
    """The words of one number of runs, two or more."""

    size: int
    openings: BoolArray
    """Which first runs they begin with."""
    index: NumberIndex


class Wanted:
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
        runs = Runs(self.spellings)  # numbered by the same code that reads a text
        findable = np.flatnonzero(sizes)
        numbers, first = np.unique(runs.hashes()[runs.bounds[findable]], return_inverse=True)
        self._first_runs = NumberIndex(numbers, np.arange(len(numbers)))
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

    def mentions(self, runs: Runs, numbers: HashArray) -> Iterator[tuple[IndexArray, IndexArray]]:
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


def _phrases(size: int, rows: IndexArray, first_runs: IndexArray, runs: Runs, how_many: int) -> _Phrases:
    openings = np.zeros(how_many + 1, dtype=np.bool_)
    openings[first_runs] = True
    return _Phrases(size, openings, NumberIndex(runs.phrase_hashes(runs.bounds[rows], size), rows))
