"""The units of many words in one flat array: one long word must not make room for itself in every row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from everyword.arrays import BoolArray, IdArray, IndexArray
from everyword.text.units import PAD


class Sequences:
    """Id sequences of different lengths, one after the other."""

    def __init__(self, flat: IndexArray, lengths: IndexArray) -> None:
        self.flat = flat
        self.lengths = lengths

    @classmethod
    def of(cls, sequences: Iterable[Sequence[int]]) -> Sequences:
        """Lists of ids laid out flat.

        >>> Sequences.of([[2, 7], [9]]).flat.tolist()
        [2, 7, 9]
        """
        listed = list(sequences)
        lengths = np.array(list(map(len, listed)), dtype=np.int64)
        return cls(np.array(list(chain.from_iterable(listed)), dtype=np.int64), lengths)

    @classmethod
    def joined(cls, parts: Sequence[Sequences]) -> Sequences:
        """Several as one."""
        return cls(np.concatenate([part.flat for part in parts]), np.concatenate([part.lengths for part in parts]))

    @cached_property
    def starts(self) -> IndexArray:
        """Where each sequence begins."""
        starts: IndexArray = np.cumsum(self.lengths) - self.lengths
        return starts

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: IndexArray | IdArray) -> Sequences:
        """Some of the sequences."""
        lengths = self.lengths[rows]
        shifts = np.repeat(self.starts[rows] - (np.cumsum(lengths) - lengths), lengths)
        return Sequences(self.flat[np.arange(len(shifts)) + shifts], lengths)

    def padded(self) -> IdArray:
        """One row a sequence, filled up with padding to the longest of them.

        >>> Sequences.of([[2], [9, 9, 9]]).padded().tolist()
        [[2, 0, 0], [9, 9, 9]]
        """
        inside = np.arange(self.lengths.max(initial=0)) < self.lengths[:, None]
        padded = np.full(inside.shape, PAD, dtype=np.int32)
        padded[inside] = self.flat
        return padded

    def by_length(self, most: int) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Places and ids of sequences of equal length, at most so many at a time."""
        order = np.argsort(self.lengths, kind="stable")
        borders = np.flatnonzero(np.diff(self.lengths[order])) + 1
        for group in np.split(order, borders) if len(order) else []:
            for first in range(0, len(group), most):
                places = group[first : first + most]
                yield places, self.flat[self.starts[places][:, None] + np.arange(self.lengths[places[0]])]


@dataclass(frozen=True)
class UnitBatch:
    """Many words as units."""

    sequences: Sequences
    usable: BoolArray
    """Of which words anything is known."""

    @classmethod
    def one_by_one(
        cls, ids: Callable[[str], Sequence[int]], usable: Callable[[str], bool], words: Sequence[str]
    ) -> UnitBatch:
        """What two functions say of each word."""
        return cls(Sequences.of(map(ids, words)), np.array(list(map(usable, words)), dtype=bool))
