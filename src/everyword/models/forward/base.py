"""What a forward pass is, and how words of different lengths become arrays without padding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.text.units import Sequences

CHUNK = 1024
"""Words of one length that go through the arithmetic together: large enough for BLAS, small enough for the cache."""


class ForwardPass(ABC):
    """Unit ids → vectors, from the arrays that the encoder of the same name folded itself into."""

    def __init__(self, tables: Mapping[str, FloatArray], config: Mapping[str, Any]) -> None:
        self.tables = tables
        self.config = config

    @property
    @abstractmethod
    def dim(self) -> int:
        """Length of the vectors."""

    @abstractmethod
    def __call__(self, words: Sequences) -> FloatArray:
        """Vectors of words, one id sequence each."""

    def positional_weights(self, length: int) -> FloatArray | None:
        """How much each position takes from each other one, rows that sum to one; None without such a kernel."""
        return None

    def attention_weights(self, ids: Sequence[int]) -> FloatArray | None:
        """How much each unit of a word attends to each other one, rows that sum to one; None without attention."""
        return None


class GroupedPass(ForwardPass):
    """A forward pass over words of one length at a time.

    Grouping instead of padding: what else is in the batch changes a vector by rounding at most, and no work is spent on
    blanks.
    """

    @abstractmethod
    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units: (words, units) → (words, dim)."""

    def __call__(self, words: Sequences) -> FloatArray:
        """Vectors of words, one id sequence each."""
        if len(words) == 1:  # nothing to group: a word on its own should not pay for the bookkeeping of many
            return self.encode_equal_lengths(words.flat[None, :])
        vectors = np.empty((len(words), self.dim), dtype=np.float32)
        for places, ids in words.by_length(CHUNK):
            vectors[places] = self.encode_equal_lengths(ids)
        return vectors
