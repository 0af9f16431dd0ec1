"""Some text → how often each word stands in it, and its sentences with the lowest hashes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.arrays import HashArray, IndexArray
from everyword.corpus.contexts.line_of_key import lines_of_keys
from everyword.corpus.contexts.lowest import (
    HASH_MASK,
    HIGHEST_HASH,
    TOO_SHORT,
    keys_of,
    lowest_keys,
    rows_of,
    sentence_hash,
)
from everyword.corpus.contexts.passages import Bounds, passages
from everyword.corpus.contexts.wanted import Wanted
from everyword.corpus.contexts.word_spans import Runs

NO_KEYS = np.zeros(0, dtype=np.uint64)
WAITING = 1 << 20
"""Mentions that are collected before those with too high a hash are thrown away."""


@dataclass(frozen=True)
class Found:
    """What a piece of text holds of the wanted words."""

    counts: IndexArray
    """Of each row."""
    keys: HashArray
    """Word and sentence in one number, sorted."""
    numbers: IndexArray
    """In `sentences`, for each key."""
    sentences: list[str]


class Scan:
    """Takes blocks of text one after the other; a pure function of their text."""

    def __init__(self, wanted: Wanted, most: int, bounds: Bounds) -> None:
        self._wanted, self._most, self._bounds = wanted, most, bounds
        rows = len(wanted.spellings)
        self._counts = np.zeros(rows, dtype=np.int64)
        self._limits = np.full(rows, HIGHEST_HASH)
        """The hash that a sentence of each word must stay below."""
        self._keys = NO_KEYS
        self._new_keys: list[HashArray] = []
        self._waiting = 0
        self._lines: list[str] = []
        self._line_hashes: list[HashArray] = []
        self.characters = 0
        """That were read so far."""

    def add(self, block: str) -> None:
        """Read a block of whole lines."""
        lines = passages(block, self._bounds.longest)
        runs = Runs(lines)
        words = runs.hashes()
        line_hashes = runs.line_hashes()
        line_hashes[np.diff(runs.bounds) < self._bounds.shortest] = TOO_SHORT
        hashes = sentence_hash(line_hashes)
        for rows, line in self._wanted.mentions(runs, words):
            self._counts += np.bincount(rows, minlength=len(self._counts))
            of_line = hashes.take(line)
            candidates = np.flatnonzero(of_line < self._limits.take(rows))
            self._new_keys.append(keys_of(rows[candidates], of_line[candidates]))
            self._waiting += len(candidates)
        self._lines += lines
        self._line_hashes.append(line_hashes)
        self.characters += len(block)
        if self._waiting > WAITING:
            self._throw_away()

    def finish(self) -> Found:
        """All that was found; the sentences that no word needs are gone."""
        self._throw_away()
        lines = lines_of_keys(self._keys, np.concatenate([NO_KEYS, *self._line_hashes]), self._words_of_line)
        used = np.zeros(len(self._lines), dtype=np.bool_)
        used[lines] = True
        numbers = np.cumsum(used) - 1
        sentences = [self._lines[line].strip() for line in np.flatnonzero(used).tolist()]
        return Found(self._counts, self._keys, numbers[lines], sentences)

    def _words_of_line(self, line: int) -> set[int]:
        runs = Runs([self._lines[line]])
        return {row for rows, _ in self._wanted.mentions(runs, runs.hashes()) for row in rows.tolist()}

    def _throw_away(self) -> None:
        self._keys, last = lowest_keys(np.concatenate([self._keys, *self._new_keys]), self._most)
        self._limits[rows_of(last)] = last & HASH_MASK
        self._new_keys, self._waiting = [], 0
