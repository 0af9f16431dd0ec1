"""Several tables seen as one list of words: which source has which word, and their vectors, prepared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.space.mergers.base import Parts
from everyword.space.pipeline import Pipeline
from everyword.space.rows import blocks
from everyword.vectors.table import VectorTable

Vocabulary = Literal["union", "intersection"]
LACKING = -1


@dataclass(frozen=True)
class Sources:
    """Words, and for each the row that it has in each source's matrix, or -1."""

    words: list[str]
    places: IndexArray
    matrices: tuple[FloatArray, ...]
    preparations: tuple[Pipeline, ...]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which source has which word."""
        return np.not_equal(self.places, LACKING)

    @property
    def dims(self) -> tuple[int, ...]:
        """Numbers of a prepared vector, source by source."""
        return tuple(preparation.dim_out for preparation in self.preparations)

    def blocks(self, chosen: IndexArray | None = None) -> Iterator[Parts]:
        """The prepared vectors of all words in order, or of those chosen."""
        places = self.places if chosen is None else self.places[chosen]
        for part in blocks(len(places), sum(self.dims)):
            yield self._parts(places[part])

    def _parts(self, places: IndexArray) -> Parts:
        rows = []
        for place, matrix, preparation in zip(places.T, self.matrices, self.preparations, strict=True):
            has = place != LACKING
            prepared = np.zeros((len(places), preparation.dim_out), dtype=np.float32)
            prepared[has] = preparation.apply(matrix[place[has]])
            rows.append(prepared)
        return Parts(tuple(rows), places != LACKING)


def gather(tables: Sequence[VectorTable | None], preparations: Sequence[Pipeline], vocabulary: Vocabulary) -> Sources:
    """The words of several tables, in the order of the first, then of the next; a table may be absent."""
    given = [table for table in tables if table is not None]
    words = list(dict.fromkeys(chain.from_iterable(table.words for table in given)))
    if vocabulary == "intersection":
        words = [word for word in words if all(word in table for table in given)]
        if not words:
            raise InputError("The tables share no word, so their intersection is empty; merge their union instead.")
    columns = [_places(words, table) for table in tables]
    matrices = [
        np.empty((0, preparation.dim), dtype=np.float32) if table is None else table.matrix
        for table, preparation in zip(tables, preparations, strict=True)
    ]
    return Sources(words, np.stack(columns, axis=1), tuple(matrices), tuple(preparations))


def _places(words: Sequence[str], table: VectorTable | None) -> IndexArray:
    index = {} if table is None else table.index
    return np.fromiter((index.get(word, LACKING) for word in words), dtype=np.int64, count=len(words))
