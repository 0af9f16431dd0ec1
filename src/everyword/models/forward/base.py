"""The base classes of forward passes, which turn words of different lengths into arrays without padding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.text.units import Sequences

CHUNK = 1024
"""Words of one length that go through the arithmetic together: large enough for BLAS, small enough for the cache."""


class ForwardPass(ABC):
    """Unit ids → vectors, from the arrays that the encoder of the same name folded itself into."""

    OUTPUT: ClassVar[str] = "unit"
    """The table whose last axis is as long as the vectors."""

    def __init__(self, tables: Mapping[str, FloatArray], config: Mapping[str, Any]) -> None:
        self.tables = tables
        self.config = config

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
