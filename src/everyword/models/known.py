"""Known words: the words with stored vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.stored import StoredMatrix
from everyword.vectors.neighbours import SLACK, exact_neighbours, unit_rows

ROWS_AT_ONCE = 1024
"""Rows that are floats at the same time: they fit the cache, so packed rows are searched about as fast as floats."""
QUERIES_AT_ONCE = 64
"""Vectors whose neighbours are searched together: their cosines to 150,000 words take 40 MB."""

Neighbours = list[tuple[str, float]]
"""Known words and their cosines, best first."""


class KnownWords:
    """Normalised words and their vectors, kept as stored: only the rows at work are turned into floats."""

    def __init__(self, words: Sequence[str], matrix: StoredMatrix) -> None:
        self.words = words
        self.matrix = matrix
        self.index: Mapping[str, int] = {word: row for row, word in enumerate(words)}

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dim(self) -> int:
        """Return the length of a vector."""
        return self.matrix.shape[1]

    def rows(self, rows: IndexArray | slice) -> FloatArray:
        """Return some of the vectors by their rows, as a table does."""
        return self.matrix.floats(rows)

    def without(self, words: Collection[str]) -> KnownWords:
        """Return all words except some."""
        left_out = set(words)
        rows = np.array([row for row, word in enumerate(self.words) if word not in left_out], dtype=np.int64)
        return KnownWords([self.words[row] for row in rows.tolist()], self.matrix.take(rows))

    def _blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        for first in range(0, len(self.words), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            yield rows, self.matrix.floats(rows)

    @cached_property
    def _shares_of_length(self) -> FloatArray:
        """Return one over the length of each vector; 0 for a zero vector."""
        lengths = np.empty(len(self.words))
        for rows, vectors in self._blocks():
            lengths[rows] = np.linalg.norm(vectors.astype(np.float64), axis=1)
        return np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0).astype(np.float32)

    def _rough_cosines(self, queries: FloatArray) -> FloatArray:
        directions = unit_rows(queries)
        cosines = np.empty((len(queries), len(self.words)), dtype=np.float32)
        for rows, vectors in self._blocks():
            cosines[:, rows] = directions @ vectors.T
        cosines *= self._shares_of_length
        return cosines

    def nearest(
        self, queries: FloatArray, k: int, leave_out: Sequence[Collection[str]] | None = None
    ) -> list[Neighbours]:
        """Return for each vector the k known words nearest by cosine, except some; none for a zero vector."""
        found: list[Neighbours] = []
        for first in range(0, len(queries), QUERIES_AT_ONCE):
            part = queries[first : first + QUERIES_AT_ONCE]
            others = leave_out[first : first + QUERIES_AT_ONCE] if leave_out is not None else [()] * len(part)
            rough = self._rough_cosines(part)
            found += [self._best(*each, k) for each in zip(part, rough, others, strict=True)]
        return found

    def _best(self, query: FloatArray, rough: FloatArray, leave_out: Collection[str], k: int) -> Neighbours:
        wanted = min(k + len(leave_out), len(rough))
        if not wanted or not query.any():
            return []
        candidates = np.flatnonzero(rough >= np.partition(rough, -wanted)[-wanted] - 2 * SLACK)
        indices, cosines = exact_neighbours(query[None, :], self.matrix.floats(candidates), wanted)
        rows = candidates[indices[0]]
        pairs = [(self.words[row], float(cosine)) for row, cosine in zip(rows, cosines[0], strict=True)]
        return [pair for pair in pairs if pair[0] not in leave_out][:k]
