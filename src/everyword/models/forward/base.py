"""The base classes of forward passes, which turn words of different lengths into arrays without padding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.kernel import Rows
from everyword.text.units import Sequences
from everyword.vectors.storage.stored import StoredMatrix

CHUNK = 1024
"""Words of one length that go through the arithmetic together: large enough for BLAS, small enough for the cache."""


class FloatTables(Mapping[str, FloatArray]):
    """Stored tables, each turned into floats when it is first read."""

    def __init__(self, stored: Mapping[str, StoredMatrix]) -> None:
        self.stored = stored
        self._floats: dict[str, FloatArray] = {}

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self._floats:
            self._floats[name] = self.stored[name].floats()
        return self._floats[name]

    def __contains__(self, name: object) -> bool:
        return name in self.stored

    def __iter__(self) -> Iterator[str]:
        return iter(self.stored)

    def __len__(self) -> int:
        return len(self.stored)


class ForwardPass(ABC):
    """Unit ids → vectors, from the arrays that the encoder of the same name folded itself into."""

    OUTPUT: ClassVar[str] = "unit"
    """The table whose last axis is as long as the vectors."""

    def __init__(self, tables: Mapping[str, FloatArray], config: Mapping[str, Any]) -> None:
        self.tables = tables
        self.config = config

    def packed(self, name: str) -> Rows | None:
        """Return a table as the compiled kernel reads it, or None if it cannot."""
        return self.tables.stored[name].packed if isinstance(self.tables, FloatTables) else None

    @property
    def dim(self) -> int:
        """Return the length of the vectors."""
        return int(self.tables[self.OUTPUT].shape[-1])

    @abstractmethod
    def __call__(self, words: Sequences) -> FloatArray:
        """Return the vectors of words, each a sequence of unit ids."""

    def positional_weights(self, length: int) -> FloatArray | None:
        """Return the positional kernel, whose rows sum to one, or None if there is none."""
        return None

    def attention_weights(self, ids: Sequence[int]) -> FloatArray | None:
        """Return the attention of units to units, in rows that sum to one, or None if there is none."""
        return None


class GroupedPass(ForwardPass):
    """A forward pass over words of one length at a time.

    Grouping instead of padding: what else is in the batch changes a vector by rounding at most, and no work is spent on
    blanks.
    """

    @abstractmethod
    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Return the vectors of words that all have the same number of units: (words, units) → (words, dim)."""

    def __call__(self, words: Sequences) -> FloatArray:
        if len(words) == 1:  # nothing to group: a word on its own should not pay for the bookkeeping of many
            return self.encode_equal_lengths(words.flat[None, :])
        vectors = np.empty((len(words), self.dim), dtype=np.float32)
        for indices, ids in words.by_length(CHUNK):
            vectors[indices] = self.encode_equal_lengths(ids)
        return vectors
