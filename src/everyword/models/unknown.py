"""Fallbacks for words that a table lacks, without any training: the baselines that a form encoder must beat."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from everyword import registry
from everyword.arrays import FloatArray, IndexArray
from everyword.models.retrieval.edit_index import NOT_FOUND, EditIndex
from everyword.text.wordpiece import CONTINUATION, WordPieces


class StoredVectors(Protocol):
    """Words whose vectors are stored: a plain table, or the known words of a model, which may be packed."""

    @property
    def words(self) -> Sequence[str]:
        """Return the words, most frequent first."""

    @property
    def index(self) -> Mapping[str, int]:
        """Return the row of each word."""

    @property
    def dim(self) -> int:
        """Return the length of a vector."""

    def rows(self, rows: IndexArray | slice) -> FloatArray:
        """Return some of the vectors."""


class UnknownPolicy(ABC):
    """Vectors for words that a table does not have, from the vectors that it has."""

    def __init__(self, table: StoredVectors) -> None:
        self.table = table

    @abstractmethod
    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of unknown words, one row per word; zeros where the policy finds nothing."""


class Zero(UnknownPolicy):
    """Every unknown word is a zero vector."""

    def __call__(self, words: Sequence[str]) -> FloatArray:
        return np.zeros((len(words), self.table.dim), dtype=np.float32)


class Mean(UnknownPolicy):
    """Every unknown word is the mean of all known ones, as an UNK vector often is."""

    @cached_property
    def _mean(self) -> FloatArray:
        return np.asarray(np.mean(self.table.rows(slice(None)), axis=0, dtype=np.float64), dtype=np.float32)

    def __call__(self, words: Sequence[str]) -> FloatArray:
        return np.tile(self._mean, (len(words), 1))


class NearestSpelling(UnknownPolicy):
    """An unknown word is the known word nearest in spelling, up to edit distance 2; of several the more frequent."""

    @cached_property
    def _index(self) -> EditIndex:
        return EditIndex(self.table.words)

    def __call__(self, words: Sequence[str]) -> FloatArray:
        rows, _ = self._index.nearest(words)
        vectors = np.zeros((len(words), self.table.dim), dtype=np.float32)
        found = np.flatnonzero(rows != NOT_FOUND)
        vectors[found] = self.table.rows(rows[found])
        return vectors


class MeanOfPieces(UnknownPolicy):
    """An unknown word is the mean of the known words it is made of, cut greedily: "typewriting" → type + writing."""

    SHORTEST = 3
    """Known words with fewer letters are not used as pieces: "re" and "un" as words mean something else."""
    NO_PIECE = -1

    @cached_property
    def _pieces(self) -> WordPieces:
        rows = {word: row for row, word in enumerate(self.table.words) if len(word) >= self.SHORTEST}
        inside = {CONTINUATION + word: row for word, row in rows.items()}
        return WordPieces(inside | rows, unknown=self.NO_PIECE)

    def __call__(self, words: Sequence[str]) -> FloatArray:
        vectors = np.zeros((len(words), self.table.dim), dtype=np.float32)
        for index, word in enumerate(words):
            rows = [row for row in self._pieces.ids(word) if row != self.NO_PIECE]
            if rows:
                vectors[index] = self.table.rows(np.array(rows)).mean(axis=0)
        return vectors


def stored_or(policy: str, table: StoredVectors, spell: Callable[[str], str]) -> Callable[[Sequence[str]], FloatArray]:
    """Return a function from words to vectors: stored ones, and those of a registered policy for all other words."""
    unknown: UnknownPolicy = registry.unknown_policies.get(policy)(table)

    def vectors(words: Sequence[str]) -> FloatArray:
        spelt = [spell(word) for word in words]
        rows = np.array([table.index.get(word, -1) for word in spelt], dtype=np.int64)
        new = np.flatnonzero(rows < 0)
        found = np.empty((len(rows), table.dim), dtype=np.float32)
        known = np.flatnonzero(rows >= 0)
        found[known] = table.rows(rows[known])
        found[new] = unknown([spelt[index] for index in new.tolist()])
        return found

    return vectors
