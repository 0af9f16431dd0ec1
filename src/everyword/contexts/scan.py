"""Some text → how often each word stands in it, and its sentences with the lowest hashes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.arrays import HashArray, IndexArray
from everyword.contexts.lowest import ANY_HASH, HASH_MASK, keys_of, limits, lowest, rows_of, sentence_hash
from everyword.contexts.passages import Bounds, passages
from everyword.contexts.runs import Runs
from everyword.contexts.wanted import Wanted

WAITING = 1 << 20
"""Mentions that are collected before those with too high a hash are thrown away."""


@dataclass(frozen=True)
class Found:
    """What a piece of text holds of the wanted words."""

    counts: IndexArray
    """Of each row."""
    keys: HashArray
    """Word and sentence in one number, sorted."""
    places: IndexArray
    """In `sentences`, for each key."""
    sentences: list[str]


class Scan:
    """Takes blocks of text one after the other; a pure function of their text."""

    def __init__(self, wanted: Wanted, most: int, bounds: Bounds) -> None:
        self._wanted, self._most, self._bounds = wanted, most, bounds
        rows = len(wanted.spellings)
        self._counts = np.zeros(rows, dtype=np.int64)
        self._limits = np.full(rows, ANY_HASH)
        """The hash that a sentence of each word must stay below."""
        self._lines: list[str] = []
        self.characters = 0
        """That were read so far."""
        self._keys: list[HashArray] = []
        self._places: list[IndexArray] = []
        self._waiting = 0

    def add(self, block: str) -> None:
        """Read a block of whole lines."""
        lines = passages(block, self._bounds.longest)
        runs = Runs(lines)
        words = runs.hashes()
        hashes = sentence_hash(runs.line_hashes(words))
        # A line that is too short counts, but is no context.
        hashes[np.diff(runs.bounds) < self._bounds.shortest] = ANY_HASH
        for rows, mentioned in self._wanted.mentions(runs, words):
            self._counts += np.bincount(rows, minlength=len(self._counts))
            candidates = np.flatnonzero(hashes.take(mentioned) < self._limits.take(rows))
            line = mentioned[candidates]
            self._keys.append(keys_of(rows[candidates], hashes[line]))
            self._places.append(line + len(self._lines))
            self._waiting += len(line)
        self._lines += lines
        self.characters += len(block)
        if self._waiting > WAITING:
            self._throw_away()

    def finish(self) -> Found:
        """All that was found; the sentences that no word needs are gone."""
        keys, places = lowest(*self._collected(), self._most)
        used = np.zeros(len(self._lines), dtype=np.bool_)
        used[places] = True
        numbers = np.cumsum(used) - 1
        sentences = [self._lines[place].strip() for place in np.flatnonzero(used).tolist()]
        return Found(self._counts, keys, numbers[places], sentences)

    def _throw_away(self) -> None:
        keys, places = self._collected()
        highest = limits(keys, self._most)
        self._limits[rows_of(highest)] = (highest & HASH_MASK) + np.uint64(1)
        needed = np.flatnonzero((keys & HASH_MASK) < self._limits[rows_of(keys)])
        self._keys, self._places, self._waiting = [keys[needed]], [places[needed]], 0

    def _collected(self) -> tuple[HashArray, IndexArray]:
        return (
            np.concatenate([np.zeros(0, dtype=np.uint64), *self._keys]),
            np.concatenate([np.zeros(0, dtype=np.int64), *self._places]),
        )
