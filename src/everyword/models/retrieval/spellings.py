"""Words as rows of small numbers, so that NumPy can compare many spellings at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, IndexArray

CodePoints = NDArray[np.uint32]
Letters = NDArray[np.unsignedinteger[Any]]
NOTHING = 0
"""Fills the row of a shorter word; no word holds the character U+0000 once it is normalised."""
LOOK_AHEAD = 2
"""Empty columns that comparing two words needs after the longer one."""
SPARE = LOOK_AHEAD + 2
"""Empty columns of every row: the other word may be two letters longer."""
WORDS_AT_ONCE = 4096


def in_parts(words: Sequence[str]) -> Iterator[tuple[slice, Sequence[str]]]:
    """Yield words in parts, because intermediate results take a hundred bytes per word."""
    for first in range(0, len(words), WORDS_AT_ONCE):
        part = slice(first, first + WORDS_AT_ONCE)
        yield part, words[part]


def code_points(words: Sequence[str]) -> tuple[CodePoints, IndexArray]:
    """Return the code points of all words one after the other, and the length of each word.

    >>> [numbers.tolist() for numbers in code_points(["ab", "c"])]
    [[97, 98, 99], [2, 1]]
    """
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    # One encoding of the joined text instead of one loop a word; lone surrogates are code points like any other.
    joined = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return joined, lengths


def as_rows(joined: Letters, lengths: IndexArray, width: int) -> Letters:
    """Return concatenated letters as one row per word, filled up with `NOTHING`; no word is longer than `width`."""
    rows = np.full((len(lengths), width), NOTHING, dtype=joined.dtype)
    rows[np.arange(width) < lengths[:, None]] = joined
    return rows


def as_rows_backwards(joined: Letters, lengths: IndexArray, width: int) -> Letters:
    """Return the same rows with every word read from its end."""
    # Reading the whole text backwards turns every word round, and their order.
    # A real copy, because taking rows of a reversed view would copy all of it every time.
    return np.ascontiguousarray(as_rows(joined[::-1], lengths[::-1], width)[::-1])


def sums_before(values: AnyArray) -> AnyArray:
    """Return the sum of all values before each index and, last, of all; unsigned sums may wrap around at 2^64.

    >>> sums_before(np.array([5, 2])).tolist()
    [0, 5, 7]
    """
    sums = np.zeros(len(values) + 1, dtype=values.dtype)
    np.cumsum(values, out=sums[1:])
    return sums


def sums_of_words(values: AnyArray, lengths: IndexArray) -> AnyArray:
    """Return the sum of the values of each word's letters; differences undo a wrap around 2^64."""
    sums, ends = sums_before(values), np.cumsum(lengths)
    totals: AnyArray = sums[ends] - sums[ends - lengths]
    return totals


@dataclass(frozen=True)
class Spellings:
    """Letters of words, (words, longest + `SPARE`), from the beginning and from the end, and their lengths."""

    letters: Letters
    backwards: Letters
    lengths: IndexArray

    @classmethod
    def of(cls, words: Sequence[str]) -> Spellings:
        """Return the spellings of words in code points.

        >>> Spellings.of(["ab", "c"]).letters[:, :3].tolist()
        [[97, 98, 0], [99, 0, 0]]
        """
        return cls.of_letters(*code_points(words))

    @classmethod
    def of_letters(cls, joined: Letters, lengths: IndexArray) -> Spellings:
        """Return the spellings of words from their concatenated letters."""
        width = int(lengths.max(initial=0)) + SPARE
        return cls(as_rows(joined, lengths, width), as_rows_backwards(joined, lengths, width), lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: IndexArray) -> Spellings:
        """Return some of the words."""
        return Spellings(self.letters[rows], self.backwards[rows], self.lengths[rows])


class Alphabet:
    """The characters of some words, numbered in order: known words take one byte per letter instead of four."""

    def __init__(self, words: Sequence[str]) -> None:
        joined, _ = code_points(words)
        present = np.zeros(int(joined.max(initial=0)) + 2, dtype=np.bool_)
        present[joined] = True
        # Even numbers. The odd ones between them are for all other characters: these equal no letter of the words.
        numbers = 2 * np.cumsum(present) + ~present
        # The higher byte first, so that the bytes of spellings sort like the words.
        self._number_of = numbers.astype(np.min_scalar_type(numbers[-1]).newbyteorder(">"))

    def spell(self, words: Sequence[str]) -> Spellings:
        """Return the spellings of any words in this alphabet."""
        joined, lengths = code_points(words)
        return Spellings.of_letters(self._number_of[np.minimum(joined, len(self._number_of) - 1)], lengths)


def sorting_keys(letters: Letters, width: int) -> NDArray[np.bytes_]:
    """Return rows of letters, cut or filled up to a width, as bytes that sort like the words."""
    if letters.shape[1] != width:
        whole = np.full((len(letters), width), NOTHING, dtype=letters.dtype)
        whole[:, : letters.shape[1]] = letters[:, :width]
        letters = whole
    return letters.view(f"S{width * letters.itemsize}")[:, 0]
