"""Words as rows of code points, so that NumPy can compare many spellings at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray

CodePoints = NDArray[np.uint32]
NOTHING = 0
"""Fills the row of a shorter word; no word holds the character U+0000 once it is normalised."""


@dataclass(frozen=True)
class Spellings:
    """Code points of words, (words, longest), and the length of each word."""

    points: CodePoints
    lengths: IndexArray

    @classmethod
    def of(cls, words: Sequence[str]) -> Spellings:
        """The spellings of words.

        >>> Spellings.of(["ab", "c"]).points.tolist()
        [[97, 98], [99, 0]]
        """
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        points = np.full((len(words), lengths.max(initial=0)), NOTHING, dtype=np.uint32)
        # One encoding of the joined text instead of one loop a word; lone surrogates are code points like any other.
        joined = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        points[np.arange(points.shape[1]) < lengths[:, None]] = joined
        return cls(points, lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: IndexArray) -> Spellings:
        """The spellings of some words, no wider than the longest of them needs."""
        lengths = self.lengths[rows]
        return Spellings(self.points[rows, : lengths.max(initial=0)], lengths)
