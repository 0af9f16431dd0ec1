"""What a forward pass is, and how words of different lengths become arrays without padding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from everyword.arrays import FloatArray, IndexArray

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
    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units: (words, units) → (words, dim)."""

    def positional_weights(self, length: int) -> FloatArray | None:
        """How much each position takes from each other one, rows that sum to one; None without such a kernel."""
        return None

    def attention_weights(self, ids: Sequence[int]) -> FloatArray | None:
        """How much each unit of a word attends to each other one, rows that sum to one; None without attention."""
        return None

    def __call__(self, sequences: Sequence[Sequence[int]]) -> FloatArray:
        """Vectors of words, one id sequence each."""
        if len(sequences) == 1:  # nothing to group: a word on its own should not pay for the bookkeeping of many
            return self.encode_equal_lengths(np.array(sequences))
        vectors = np.empty((len(sequences), self.dim), dtype=np.float32)
        for places, ids in by_length(sequences):
            vectors[places] = self.encode_equal_lengths(ids)
        return vectors


def by_length(sequences: Sequence[Sequence[int]]) -> Iterator[tuple[IndexArray, IndexArray]]:
    """Places and ids of sequences of equal length, at most `CHUNK` at a time.

    Grouping instead of padding: a vector cannot depend on what else is in the batch, and no work is spent on blanks.
    """
    lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
    flat = np.fromiter(chain.from_iterable(sequences), dtype=np.int64, count=int(lengths.sum()))
    starts = np.cumsum(lengths) - lengths
    order = np.argsort(lengths, kind="stable")
    borders = np.flatnonzero(np.diff(lengths[order])) + 1
    for group in np.split(order, borders) if len(order) else []:
        for first in range(0, len(group), CHUNK):
            places = group[first : first + CHUNK]
            yield places, flat[starts[places][:, None] + np.arange(lengths[places[0]])]
