"""Where a network over words gets their vectors: models and tables, several of them side by side; without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.load import load
from everyword.models.model import Model
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

NO_VECTORS = "none"
"""What stands for no vectors at all: a tagger can also do with the characters of words."""


class Source(Protocol):
    """Gives words vectors; a vector of zeros says that it does not have the word."""

    name: str

    @property
    def dim(self) -> int: ...

    def encode(self, words: Sequence[str], /) -> FloatArray: ...


class TableSource:
    """The words of a table, as they are written or else in lower case."""

    def __init__(self, name: str, table: VectorTable) -> None:
        self.name, self.table = name, table

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.table.dim

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, zeros for those that the table does not have."""
        index = self.table.index
        rows = np.array([index.get(word, index.get(word.lower(), -1)) for word in words], dtype=np.int64)
        found = np.zeros((len(words), self.dim), dtype=np.float32)
        found[rows >= 0] = self.table.rows(rows[rows >= 0])
        return found

    def known(self, word: str) -> bool:
        """Whether the table has a word."""
        return word in self.table.index or word.lower() in self.table.index


class ModelSource:
    """The vectors that a model of everyword gives any word."""

    def __init__(self, model: Model) -> None:
        self.name, self.model = model.name, model

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.model.dim

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words."""
        return np.asarray(self.model.encode(list(words)), dtype=np.float32)

    def known(self, word: str) -> bool:
        """Whether the vector of a word is stored, rather than made of its spelling."""
        return self.model.known(word)


class Sources:
    """Several sources as one: the vectors of a word side by side, each of the same length or zeros.

    Args:
        sources: With different names; without any, vectors have length 0.
        length: What vectors are scaled to.
    """

    def __init__(self, sources: Sequence[Source], length: float = 5.0) -> None:
        names = [source.name for source in sources]
        if len(set(names)) < len(names):
            raise InputError(f"Sources of vectors need different names. Got {', '.join(names)}.")
        self.sources, self.length, self.names = tuple(sources), length, tuple(names)
        self.dims = tuple(source.dim for source in sources)

    @property
    def dim(self) -> int:
        """The length of all vectors side by side."""
        return sum(self.dims)

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, (words, dim)."""
        parts = []
        for source in self.sources:
            vectors = np.asarray(source.encode(words), dtype=np.float32)
            if vectors.shape != (len(words), source.dim):
                raise InputError(
                    f"The source {source.name!r} must give {len(words)} vectors of length {source.dim}. "
                    f"Got an array of shape {vectors.shape}."
                )
            parts.append(unit_rows(vectors) * np.float32(self.length))
        return np.concatenate([np.zeros((len(words), 0), dtype=np.float32), *parts], axis=1)


def open_sources(given: Sequence[str]) -> list[Source]:
    """Return sources of vectors as `open_source` finds them; for "none" alone, no source."""
    return [] if list(given) == [NO_VECTORS] else [open_source(one) for one in given]


def open_source(given: str) -> ModelSource | TableSource:
    """Return a source of vectors: a vector file, or a model by its name, folder or hub id."""
    path = Path(given)
    if path.is_file():
        return TableSource(path.name.partition(".")[0], read_table(path))
    return ModelSource(load(given))
