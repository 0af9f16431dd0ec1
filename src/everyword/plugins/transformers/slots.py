"""Batches of texts with more or fewer places than they had pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from everyword.arrays import IndexArray


@dataclass(frozen=True)
class Slots:
    """Where each piece of a batch goes when pieces leave it and others come in.

    `counts` (texts, pieces) says how many slots stand for each piece: none for one that leaves, one for one that stays,
    more if something is put behind it. Texts that become shorter than the longest are padded where the others are.
    """

    counts: IndexArray
    pad_left: bool = False

    @cached_property
    def _ends(self) -> IndexArray:
        ends: IndexArray = np.cumsum(self.counts, axis=1)
        return ends

    @cached_property
    def _shift(self) -> IndexArray:
        """How far the slots of each text stand from the left."""
        return (self.width - self._ends[:, -1:]) * int(self.pad_left)

    @property
    def width(self) -> int:
        """Slots of the longest text."""
        return int(self._ends[:, -1].max())

    @cached_property
    def first(self) -> IndexArray:
        """The first slot of each piece; of a piece that left, that of the last one before it that stayed."""
        firsts = np.where(self.counts > 0, self._ends - self.counts, 0)
        return np.asarray(np.maximum.accumulate(firsts, axis=1) + self._shift)

    @cached_property
    def _sources(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Of each slot: its text, its place there, and the piece it stands for."""
        texts, pieces = self.counts.shape
        flat = np.repeat(np.arange(texts * pieces), self.counts.ravel())
        row, piece = flat // pieces, flat % pieces
        of_text = self._ends[:, -1]
        place = np.arange(len(flat)) - np.repeat(np.cumsum(of_text) - of_text, of_text)
        return row, place + self._shift[row, 0], piece

    def moved(self, pieces: Any, fill: int) -> Any:
        """A tensor (texts, pieces) as one of (texts, slots); slots behind a piece repeat it, padding is `fill`."""
        row, place, piece = self._sources
        moved = pieces.new_full((len(pieces), self.width), fill)
        moved[row, place] = pieces[row, piece]
        return moved

    def restored(self, slots: Any) -> Any:
        """A tensor (texts, slots, dim) as one of (texts, pieces, dim), each piece with what its first slot has."""
        return slots[np.arange(len(self.first))[:, None], self.first]
