"""How the vector of a split word enters a batch (LOVE section 4.6; BERTRAM's slash)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.errors import InputError, did_you_mean


class SplitWord(NamedTuple):
    """A word of several pieces in a batch of texts."""

    row: int
    start: int
    stop: int
    pieces: tuple[int, ...]


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
        """How far the slots of each text are from the left."""
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
        """Of each slot: its text, its column there, and the piece it stands for."""
        texts, pieces = self.counts.shape
        flat = np.repeat(np.arange(texts * pieces), self.counts.ravel())
        row, piece = flat // pieces, flat % pieces
        of_text = self._ends[:, -1]
        column = np.arange(len(flat)) - np.repeat(np.cumsum(of_text) - of_text, of_text)
        return row, column + self._shift[row, 0], piece

    def moved(self, pieces: Any, fill: int) -> Any:
        """Turn a tensor (texts, pieces) into (texts, slots); slots behind a piece repeat it, padding is `fill`."""
        row, column, piece = self._sources
        moved = pieces.new_full((len(pieces), self.width), fill)
        moved[row, column] = pieces[row, piece]
        return moved

    def restored(self, slots: Any) -> Any:
        """Turn a tensor (texts, slots, dim) into (texts, pieces, dim): each piece gets its first slot."""
        return slots[np.arange(len(self.first))[:, None], self.first]


class Positions(NamedTuple):
    """Where vectors go into a batch."""

    rows: list[int]
    columns: list[int]
    words: list[int]
    """Whose vector it is, as an index into the list of words."""


class Strategy(nn.Module, ABC):
    """A way to put the vector of a word into the input of a model."""

    growth = 0
    """By how many slots a text grows with each word."""

    def counts(self, words: Sequence[SplitWord], shape: tuple[int, int]) -> IndexArray:
        """Return how many slots stand for each piece."""
        return np.ones(shape, dtype=np.int64)

    @abstractmethod
    def positions(self, words: Sequence[SplitWord], slots: Slots) -> Positions:
        """Return where the vectors go among the slots."""

    def rewrite(self, ids: Tensor, positions: Positions) -> None:
        """Write the ids of pieces that were inserted, in place."""

    def combine(self, pieces: Tensor, vectors: Tensor) -> Tensor:
        """Return the new input at these positions, from the pieces there and the vectors of the words."""
        return vectors


class Replace(Strategy):
    """One vector instead of all pieces: the slot of the first stays, the others go."""

    def counts(self, words: Sequence[SplitWord], shape: tuple[int, int]) -> IndexArray:
        counts = super().counts(words, shape)
        for word in words:
            counts[word.row, word.start + 1 : word.stop] = 0
        return counts

    def positions(self, words: Sequence[SplitWord], slots: Slots) -> Positions:
        columns = [int(slots.first[word.row, word.start]) for word in words]
        return Positions([word.row for word in words], columns, list(range(len(words))))


class Slash(Strategy):
    """The pieces, a slash, the vector, as in "mi ##sp ##ell / misspell" (BERTRAM section 5)."""

    growth = 2

    def __init__(self, slash: int) -> None:
        super().__init__()
        self.slash = slash
        """The id of the slash."""

    def counts(self, words: Sequence[SplitWord], shape: tuple[int, int]) -> IndexArray:
        counts = super().counts(words, shape)
        for word in words:
            counts[word.row, word.stop - 1] += self.growth
        return counts

    def positions(self, words: Sequence[SplitWord], slots: Slots) -> Positions:
        columns = [int(slots.first[word.row, word.stop - 1]) + 2 for word in words]
        return Positions([word.row for word in words], columns, list(range(len(words))))

    def rewrite(self, ids: Tensor, positions: Positions) -> None:
        ids[positions.rows, [column - 1 for column in positions.columns]] = self.slash


class Add(Strategy):
    """The vector is added to each piece."""

    def positions(self, words: Sequence[SplitWord], slots: Slots) -> Positions:
        every = [(word.row, column, index) for index, word in enumerate(words) for column in range(*word[1:3])]
        return Positions(*map(list, zip(*every, strict=True)))

    def combine(self, pieces: Tensor, vectors: Tensor) -> Tensor:
        """e_new = e_sub + e_word."""
        return pieces + vectors


class Linear(Add):
    """The vector is mixed into each piece by a weight that fine-tuning learns; one half before that."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.weight = nn.Linear(dim, 1, bias=False)
        nn.init.zeros_(self.weight.weight)

    def combine(self, pieces: Tensor, vectors: Tensor) -> Tensor:
        """e_new = (1 - a) e_sub + a e_word, a = sigmoid(W e_sub)."""
        share = torch.sigmoid(self.weight(pieces)).to(pieces)  # autocast gives products in half precision
        return torch.lerp(pieces, vectors, share)


STRATEGIES = ("replace", "linear", "add", "slash")


def check_strategy(name: str) -> None:
    """Refuse an unknown strategy."""
    if name not in STRATEGIES:
        raise InputError(f"There is no strategy {name!r}: {did_you_mean(str(name), STRATEGIES)}")


def make_strategy(name: str, tokenizer: Any, dim: int) -> Strategy:
    """Make the strategy of this name."""
    if name == "slash":
        return Slash(tokenizer.encode("a /", add_special_tokens=False)[-1])
    return Linear(dim) if name == "linear" else {"replace": Replace, "add": Add}[name]()
