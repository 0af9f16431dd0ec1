"""Edit distance of many pairs at once, up to two edits.

What two words share at the beginning and at the end needs no edit, so only the rest between counts: one edit explains a
rest of one letter or of two swapped ones. With two edits, the first is where the words begin to differ, and there are
but four kinds of it; what follows must then be explained by the other. That is a fixed number of operations on arrays,
while the usual table of distances has a cell for every two letters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import BoolArray, IndexArray
from everyword.models.retrieval.spellings import LOOK_AHEAD, Letters, Spellings

Distances = NDArray[np.int64]
MORE = 3
"""Stands for every distance above two."""

_FIRST_EDITS = REPLACED, TOO_MANY, TOO_FEW, SWAPPED = range(4)
_SINCE = np.array([[1], [0], [0], [2]])
"""How far behind the first difference the words are compared after each of these edits,"""
_FIRST_AHEAD, _SECOND_AHEAD = np.array([[0], [1], [0], [0]]), np.array([[0], [0], [1], [0]])
"""and how many letters ahead either of them is then read."""


def edit_distances(
    first: Spellings, first_rows: IndexArray, second: Spellings, second_rows: IndexArray, most: int = 2
) -> Distances:
    """Return the optimal string alignment distance of each pair, in which a swap of neighbours counts one.

    A distance above `most`, which is 1 or 2, is `MORE`.

    >>> words, others = Spellings.of(["abc"]), Spellings.of(["acb", "abcde", "xyz"])
    >>> edit_distances(words, np.array([0, 0, 0]), others, np.arange(3)).tolist()
    [1, 2, 3]
    """
    distances = np.full(len(first_rows), MORE)
    near = (np.abs(first.lengths[first_rows] - second.lengths[second_rows]) <= most).nonzero()[0]
    pairs = _Pairs.of(first, first_rows[near], second, second_rows[near])
    begin = pairs.shared_beginning()
    if most > 1:
        distances[near[pairs.two_edits_left(begin)]] = 2
    distances[near[pairs.one_edit_left(begin, begin)]] = 1
    distances[near[(begin == pairs.first_lengths) & (begin == pairs.second_lengths)]] = 0
    return distances


@dataclass(frozen=True)
class _Pairs:
    """Letters of pairs of words in rows of one width, with room to look beyond the longest."""

    first: Letters
    second: Letters
    first_lengths: IndexArray
    second_lengths: IndexArray
    shared_end: IndexArray
    """How many letters the two share at the end."""

    @classmethod
    def of(cls, first: Spellings, first_rows: IndexArray, second: Spellings, second_rows: IndexArray) -> _Pairs:
        first_lengths, second_lengths = first.lengths[first_rows], second.lengths[second_rows]
        longest = int(max(first_lengths.max(initial=0), second_lengths.max(initial=0)))
        # Words more than two letters apart in length are left out already, so both have columns to spare for the other.
        width = min(longest + LOOK_AHEAD, first.letters.shape[1], second.letters.shape[1])
        first_ends, second_ends = _rows(first.backwards, first_rows, width), _rows(second.backwards, second_rows, width)
        return cls(
            _rows(first.letters, first_rows, width),
            _rows(second.letters, second_rows, width),
            first_lengths,
            second_lengths,
            _first_true(first_ends != second_ends),
        )

    def shared_beginning(self) -> IndexArray:
        """Return how many letters the two share at the beginning."""
        return np.minimum(_first_true(self.first != self.second), np.minimum(self.first_lengths, self.second_lengths))

    def one_edit_left(self, at: IndexArray, to: IndexArray) -> BoolArray:
        """Return whether the first word from `at` on becomes the second from `to` on by one edit or none.

        Both rests begin with different letters. The last axis of both arrays is that of the pairs.
        """
        first_rest, second_rest = self.first_lengths - at, self.second_lengths - to
        end = np.minimum(self.shared_end, np.minimum(first_rest, second_rest))
        longer = np.maximum(first_rest, second_rest) - end
        explained: BoolArray = longer <= 1
        perhaps = ((longer == 2) & (first_rest == second_rest)).nonzero()
        explained[perhaps] = self._swapped(perhaps[-1], at[perhaps], to[perhaps])
        return explained

    def two_edits_left(self, begin: IndexArray) -> BoolArray:
        """Return whether an edit where the words begin to differ leaves at most one more."""
        first, second = self.first, self.second
        differ = np.empty((len(_FIRST_EDITS), len(first), first.shape[1] - 1), dtype=np.bool_)
        np.not_equal(first[:, :-1], second[:, :-1], out=differ[REPLACED])
        np.not_equal(first[:, 1:], second[:, :-1], out=differ[TOO_MANY])
        np.not_equal(first[:, :-1], second[:, 1:], out=differ[TOO_FEW])
        differ[SWAPPED] = differ[REPLACED]
        since, first_ahead, second_ahead = begin + _SINCE, _FIRST_AHEAD, _SECOND_AHEAD
        until = np.minimum(self.first_lengths - first_ahead, self.second_lengths - second_ahead)
        positions = np.arange(differ.shape[2], dtype=np.uint16)
        differ &= positions >= since.astype(np.uint16)[:, :, None]
        next_difference = np.minimum(_first_true(differ), until)
        explained = self.one_edit_left(next_difference + first_ahead, next_difference + second_ahead)
        explained &= since <= until
        explained[SWAPPED] &= self._swapped(np.arange(len(begin)), begin, begin)
        either: BoolArray = np.logical_or.reduce(explained)
        return either

    def _swapped(self, pairs: IndexArray, at: IndexArray, to: IndexArray) -> BoolArray:
        """Return whether the next two letters of some pairs are swapped."""
        one, other = self.first, self.second
        swapped: BoolArray = (one[pairs, at] == other[pairs, to + 1]) & (one[pairs, at + 1] == other[pairs, to])
        return swapped


def _rows(letters: Letters, rows: IndexArray, width: int) -> Letters:
    # Whole rows are copied faster than parts of them.
    return np.take(letters, rows, axis=0)[:, :width]


def _first_true(flags: BoolArray) -> IndexArray:
    """Return the index of the first true value of each row, or the last index if there is none."""
    flags[..., -1] = True
    first: IndexArray = flags.argmax(axis=-1)
    return first
