"""Edit distance of many pairs at once, as far as two edits.

What two words share at the beginning and at the end needs no edit, so only the rest between counts: one edit explains a
rest of one letter or of two swapped ones. With two edits, the first is where the words begin to differ, and there are but
four kinds of it; what follows must then be explained by the other. That is a fixed number of operations on arrays, while
the usual table of distances has a cell for every two letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import BoolArray, IndexArray
from everyword.models.retrieval.spellings import Spellings

Distances = NDArray[np.int64]
MORE = 3
"""Stands for every distance above two."""
LOOK_AHEAD = 2


def edit_distances(first: Spellings, second: Spellings) -> Distances:
    """Optimal string alignment distance of each pair: insertions, deletions, replacements and swaps of neighbours.

    >>> edit_distances(Spellings.of(["abc", "abc", "abc"]), Spellings.of(["acb", "abcde", "xyz"])).tolist()
    [1, 2, 3]
    """
    distances = np.full(len(first), MORE)
    near = np.flatnonzero(np.abs(first.lengths - second.lengths) < MORE)
    longest = np.maximum(first.lengths[near].max(initial=0), second.lengths[near].max(initial=0))
    pairs = _Pairs(first.take(near, longest + LOOK_AHEAD), second.take(near, longest + LOOK_AHEAD))
    begin = pairs.first_difference()
    one = pairs.one_edit_left(begin, begin)
    same = (begin == pairs.first.lengths) & (begin == pairs.second.lengths)
    distances[near[one]] = 1
    distances[near[same]] = 0
    rest = np.flatnonzero(~one)
    distances[near[rest[pairs.take(rest).two_edits_left(begin[rest])]]] = 2
    return distances


@dataclass(frozen=True)
class _Pairs:
    """Pairs of words in rows of one width, `LOOK_AHEAD` wider than the longest."""

    first: Spellings
    second: Spellings

    def take(self, rows: IndexArray) -> _Pairs:
        width = self.first.letters.shape[1]
        return _Pairs(self.first.take(rows, width), self.second.take(rows, width))

    @cached_property
    def shared_end(self) -> IndexArray:
        """How many letters the two share at the end."""
        return _first_true(self.first.backwards != self.second.backwards)

    def first_difference(self) -> IndexArray:
        """How many letters the two share at the beginning."""
        shorter = np.minimum(self.first.lengths, self.second.lengths)
        return np.minimum(_first_true(self.first.letters != self.second.letters), shorter)

    def one_edit_left(self, at: IndexArray, to: IndexArray) -> BoolArray:
        """Whether the rest of the first word from `at` on becomes that of the second from `to` on by one edit or none.

        Both rests begin with different letters.
        """
        first_rest, second_rest = self.first.lengths - at, self.second.lengths - to
        end = np.minimum(self.shared_end, np.minimum(first_rest, second_rest))
        longer = np.maximum(first_rest, second_rest) - end
        return (longer <= 1) | ((longer == 2) & (first_rest == second_rest) & self._swapped(at, to))

    def two_edits_left(self, begin: IndexArray) -> BoolArray:
        """Whether an edit where the words begin to differ leaves at most one more."""
        differ = self.first.letters != self.second.letters
        first_ahead = self.first.letters[:, 1:] != self.second.letters[:, :-1]
        second_ahead = self.first.letters[:, :-1] != self.second.letters[:, 1:]
        return (
            self._explained(differ, begin + 1)  # a letter replaced
            | self._explained(first_ahead, begin, first=1)  # a letter of the first word too many
            | self._explained(second_ahead, begin, second=1)  # one too few
            | (self._swapped(begin, begin) & self._explained(differ, begin + 2))
        )

    def _explained(self, differ: BoolArray, since: IndexArray, *, first: int = 0, second: int = 0) -> BoolArray:
        """Whether one edit explains what follows from `since` on, a word being read `first` or `second` letters ahead.

        `differ` tells where the words differ when they are read so.
        """
        next_difference = _first_true(differ & (np.arange(differ.shape[1]) >= since[:, None]))
        until = np.minimum(self.first.lengths - first, self.second.lengths - second)
        next_difference = np.minimum(next_difference, until)
        return (since <= until) & self.one_edit_left(next_difference + first, next_difference + second)

    def _swapped(self, at: IndexArray, to: IndexArray) -> BoolArray:
        pair, one, other = np.arange(len(at)), self.first.letters, self.second.letters
        swapped: BoolArray = (one[pair, at] == other[pair, to + 1]) & (one[pair, at + 1] == other[pair, to])
        return swapped


def _first_true(flags: BoolArray) -> IndexArray:
    """The place of the first true value of each row, the last place if there is none."""
    flags[:, -1] = True
    return flags.argmax(axis=1)
