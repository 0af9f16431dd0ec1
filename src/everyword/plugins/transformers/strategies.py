"""What becomes of a split word that has a vector (LOVE section 4.6; BERTRAM's slash)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.errors import InputError, did_you_mean
from everyword.plugins.transformers.slots import Slots
from everyword.plugins.transformers.split_words import SplitWord


class Places(NamedTuple):
    """Where vectors go into a batch."""

    rows: list[int]
    columns: list[int]
    words: list[int]
    """Whose vector it is, as a place in the list of words."""


class Strategy(nn.Module, ABC):
    """A way to put the vector of a word into the input of a model."""

    growth = 0
    """By how many places a text grows with each word."""

    def counts(self, words: Sequence[SplitWord], shape: tuple[int, int]) -> IndexArray:
        """How many slots stand for each piece."""
        return np.ones(shape, dtype=np.int64)

    @abstractmethod
    def places(self, words: Sequence[SplitWord], slots: Slots) -> Places:
        """Where the vectors go among the slots."""

    def rewrite(self, ids: Tensor, places: Places) -> None:
        """Other ids where pieces have come in, in place."""

    def combine(self, pieces: Tensor, vectors: Tensor) -> Tensor:
        """The new input at these places, from what stands there and the words' vectors."""
        return vectors


class Replace(Strategy):
    """One vector in the place of all pieces."""

    def counts(self, words: Sequence[SplitWord], shape: tuple[int, int]) -> IndexArray:
        """The first piece stands for the word, the others leave."""
        counts = super().counts(words, shape)
        for word in words:
            counts[word.row, word.start + 1 : word.stop] = 0
        return counts

    def places(self, words: Sequence[SplitWord], slots: Slots) -> Places:
        """Where the first piece stood."""
        columns = [int(slots.first[word.row, word.start]) for word in words]
        return Places([word.row for word in words], columns, list(range(len(words))))


class Slash(Strategy):
    """The pieces, a slash, the vector, as in "mi ##sp ##ell / misspell" (BERTRAM section 5)."""

    growth = 2

    def __init__(self, slash: int) -> None:
        super().__init__()
        self.slash = slash
        """The id of the slash."""

    def counts(self, words: Sequence[SplitWord], shape: tuple[int, int]) -> IndexArray:
        """Two more behind the last piece."""
        counts = super().counts(words, shape)
        for word in words:
            counts[word.row, word.stop - 1] += self.growth
        return counts

    def places(self, words: Sequence[SplitWord], slots: Slots) -> Places:
        """Two behind the last piece."""
        columns = [int(slots.first[word.row, word.stop - 1]) + 2 for word in words]
        return Places([word.row for word in words], columns, list(range(len(words))))

    def rewrite(self, ids: Tensor, places: Places) -> None:
        """A slash before each vector."""
        ids[places.rows, [column - 1 for column in places.columns]] = self.slash


class Add(Strategy):
    """The vector is added to each piece."""

    def places(self, words: Sequence[SplitWord], slots: Slots) -> Places:
        """Every piece."""
        every = [(word.row, column, place) for place, word in enumerate(words) for column in range(*word[1:3])]
        return Places(*map(list, zip(*every, strict=True)))

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
        return torch.lerp(pieces, vectors, torch.sigmoid(self.weight(pieces)))


STRATEGIES = ("replace", "linear", "add", "slash")


def check_strategy(name: str) -> None:
    """Refuse a strategy that there is not."""
    if name not in STRATEGIES:
        raise InputError(f"There is no strategy {name!r}: {did_you_mean(str(name), STRATEGIES)}")


def make_strategy(name: str, tokenizer: Any, dim: int) -> Strategy:
    """The strategy of a name."""
    if name == "slash":
        return Slash(tokenizer.encode("a /", add_special_tokens=False)[-1])
    return Linear(dim) if name == "linear" else {"replace": Replace, "add": Add}[name]()
