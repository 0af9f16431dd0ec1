"""The words of many lines at once, each as a hash of its characters.

A rolling hash: the characters of a line are the digits of a number, and prefix sums give the number of any span,
modulo 2^64, from its two ends. Two words share a hash about as often as two random draws out of 2^64, so words are
compared by their hashes and no string is cut out of the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import BoolArray, HashArray, IndexArray
from everyword.text.word_pattern import MARKS, WORD_PATTERN

CODE_POINTS = 0x110000
ASSIGNED = 0x40000
"""There are no letters, and no characters that change, above this code point."""
LETTER, MARK = 1, 2
"""Kinds of characters: a word begins with a letter or digit and continues with letters, digits and marks."""
CAPITAL_SIGMA = "Σ"
"""Has two small letters, one of them for the end of a word."""
JAMO = range(0x1160, 0x1200)
"""Parts of Korean syllables, which become one character with what stands before them."""
BASE = 0xD1342543DE82EF93  # odd, and 3 modulo 8: its powers differ in their low bits too
INVERSE = pow(BASE, -1, 1 << 64)
LINE_END = ord("\n")


class WordSpans:
    """The words of some lines, in order: where they start and stop, on which line, and their hashes."""

    def __init__(self, lines: Sequence[str]) -> None:
        points = _code_points(lines)
        self.starts, self.stops = _spans(points)
        self._prefix = np.zeros(len(points) + 1, dtype=np.uint64)
        np.cumsum(_character_hashes().take(points) * _powers(BASE, len(points)), out=self._prefix[1:])
        self._inverse_powers = _powers(INVERSE, len(points))
        line_ends = np.flatnonzero(points == LINE_END)
        self.bounds = np.concatenate(([0], np.searchsorted(self.starts, line_ends), [len(self.starts)]))
        """The index of the first span of each line, and the number of all spans."""
        self.line = np.repeat(np.arange(len(line_ends) + 1), np.diff(self.bounds))
        """The line of each span."""

    def hashes(self) -> HashArray:
        """Return the hash of each span."""
        return self._hash(self.starts, self.stops)

    def phrase_hashes(self, first: IndexArray, size: int) -> HashArray:
        """Return the hashes of phrases: `size` spans from each first one on, with all that stands between them."""
        return self._hash(self.starts[first], self.stops[first + size - 1])

    def line_hashes(self) -> HashArray:
        """Return a hash for each line, from its first word to its last whatever the case; 0 without words.

        What stands between the words counts too: lines with the same hash contain the same phrases.
        """
        hashes = np.zeros(len(self.bounds) - 1, dtype=np.uint64)
        filled = np.flatnonzero(np.diff(self.bounds))
        starts, stops = self.starts[self.bounds[filled]], self.stops[self.bounds[filled + 1] - 1]
        hashes[filled] = _mix_bits(self._hash(starts, stops))
        return hashes

    def _hash(self, starts: IndexArray, stops: IndexArray) -> HashArray:
        difference: HashArray = self._prefix.take(stops) - self._prefix.take(starts)
        return difference * self._inverse_powers.take(starts)


def _code_points(lines: Sequence[str]) -> IndexArray:
    text = "\n".join(lines)
    points = _encode(text)
    if text.isascii() or not (special := _depends_on_neighbours().take(points)).any():
        return points
    lines, line_ends = list(lines), np.flatnonzero(points == LINE_END)
    for number in np.unique(np.searchsorted(line_ends, np.flatnonzero(special))).tolist():
        # Word by word, because the small letter of a capital sigma depends on whether a word ends there.
        lower = WORD_PATTERN.sub(lambda word: word[0].lower(), lines[number])
        lines[number] = unicodedata.normalize("NFC", lower)
    return _encode("\n".join(lines))


def _encode(text: str) -> IndexArray:
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)


def _spans(points: IndexArray) -> tuple[IndexArray, IndexArray]:
    kind = _character_kinds().take(points)
    inside = np.zeros(len(points) + 2, dtype=np.bool_)
    inside[1:-1] = kind != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, stops = edges[::2], edges[1::2]
    # A mark begins no word: it belongs to whatever stands before it.
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


@cache
def _character_kinds() -> NDArray[np.uint8]:
    """Return LETTER, MARK or 0 for each code point."""
    kinds = np.zeros(CODE_POINTS, dtype=np.uint8)
    kinds[:ASSIGNED] = [chr(point).isalnum() for point in range(ASSIGNED)]
    kinds[[ord(mark) for mark in MARKS if not mark.isalnum()]] = MARK
    return kinds


@cache
def _depends_on_neighbours() -> BoolArray:
    """Return which characters have a lower case or normal form that depends on the characters beside them.

    Most lines have none of them.
    """
    found = np.zeros(CODE_POINTS, dtype=np.bool_)
    found[JAMO.start : JAMO.stop] = True
    found[ord(CAPITAL_SIGMA)] = True
    for point in range(0x80, ASSIGNED):
        character = chr(point)
        if (
            unicodedata.category(character)[0] == "M"
            or len(character.lower()) > 1
            or not unicodedata.is_normalized("NFC", character)
        ):
            found[point] = True
    return found


@cache
def _character_hashes() -> HashArray:
    """Return a hash for each character; a capital has the hash of its small letter."""
    hashes = _mix_bits(np.arange(1, CODE_POINTS + 1, dtype=np.uint64))
    hashes[[point for point in range(0x3001) if chr(point).isspace()]] = hashes[ord(" ")]
    capitals = [point for point in range(ASSIGNED) if len(lower := chr(point).lower()) == 1 and ord(lower) != point]
    hashes[capitals] = hashes[[ord(chr(point).lower()) for point in capitals]]
    return hashes


def _mix_bits(numbers: HashArray) -> HashArray:
    """Turn each number into one whose bits look random (the last step of SplitMix64)."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
