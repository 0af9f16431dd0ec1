"""All runs of letters of many lines at once, each as a number.

A line's characters are digits of a number that is never written down: prefix sums give the number of any stretch of it,
modulo 2^64, from its two ends. Two words share a number about as often as two draws out of 2^64 do, so they are
compared as numbers and nothing is cut into strings.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from everyword.arrays import HashArray, IndexArray
from everyword.corpus.contexts.code_points import LETTER, depends_on_neighbours, kinds, scattered, values
from everyword.text.word_pattern import WORD_PATTERN

BASE = 0xD1342543DE82EF93  # odd, and 3 modulo 8: its powers differ in their low bits too
INVERSE = pow(BASE, -1, 1 << 64)
LINE_END = ord("\n")


class Runs:
    """The runs of letters of some lines, in order."""

    def __init__(self, lines: Sequence[str]) -> None:
        points = _code_points(lines)
        self.starts, self.stops = _ends_of_runs(points)
        self._prefix = np.zeros(len(points) + 1, dtype=np.uint64)
        np.cumsum(values().take(points) * _powers(BASE, len(points)), out=self._prefix[1:])
        self._turned_back = _powers(INVERSE, len(points))
        line_ends = np.flatnonzero(points == LINE_END)
        self.bounds = np.concatenate(([0], np.searchsorted(self.starts, line_ends), [len(self.starts)]))
        """The first run of each line, and where the last line ends."""
        self.line = np.repeat(np.arange(len(line_ends) + 1), np.diff(self.bounds))
        """Of each run."""

    def hashes(self) -> HashArray:
        """The number of each run."""
        return self._stretches(self.starts, self.stops)

    def phrase_hashes(self, first: IndexArray, size: int) -> HashArray:
        """The numbers of `size` runs from each first one to its last, with all that stands between them."""
        return self._stretches(self.starts[first], self.stops[first + size - 1])

    def line_hashes(self) -> HashArray:
        """A number for each line, from its first word to its last whatever the case; 0 without words.

        What stands between the words counts too: lines of one number hold the same phrases.
        """
        numbers = np.zeros(len(self.bounds) - 1, dtype=np.uint64)
        filled = np.flatnonzero(np.diff(self.bounds))
        starts, stops = self.starts[self.bounds[filled]], self.stops[self.bounds[filled + 1] - 1]
        numbers[filled] = scattered(self._stretches(starts, stops))
        return numbers

    def _stretches(self, starts: IndexArray, stops: IndexArray) -> HashArray:
        difference: HashArray = self._prefix.take(stops) - self._prefix.take(starts)
        return difference * self._turned_back.take(starts)


def _code_points(lines: Sequence[str]) -> IndexArray:
    text = "\n".join(lines)
    points = _numbers(text)
    if text.isascii() or not (special := depends_on_neighbours().take(points)).any():
        return points
    lines, line_ends = list(lines), np.flatnonzero(points == LINE_END)
    for number in np.unique(np.searchsorted(line_ends, np.flatnonzero(special))).tolist():
        # Run by run, because the small letter of a capital sigma depends on whether a word ends there.
        lower = WORD_PATTERN.sub(lambda run: run[0].lower(), lines[number])
        lines[number] = unicodedata.normalize("NFC", lower)
    return _numbers("\n".join(lines))


def _numbers(text: str) -> IndexArray:
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)


def _ends_of_runs(points: IndexArray) -> tuple[IndexArray, IndexArray]:
    kind = kinds().take(points)
    inside = np.zeros(len(points) + 2, dtype=np.bool_)
    inside[1:-1] = kind != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, stops = edges[::2], edges[1::2]
    # A mark begins no run: it belongs to whatever stands before it.
    while (marked := kind.take(starts) != LETTER).any():
        starts = starts + marked
        starts, stops = starts[starts < stops], stops[starts < stops]
    return starts, stops


def _powers(base: int, count: int) -> HashArray:
    return _many_powers(base, 1 << max(count - 1, 1).bit_length())[:count]


@lru_cache(maxsize=8)
def _many_powers(base: int, count: int) -> HashArray:
    factors = np.full(count, base, dtype=np.uint64)
    factors[0] = 1
    return np.cumprod(factors)
