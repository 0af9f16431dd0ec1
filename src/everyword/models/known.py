"""The words whose vectors are stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.stored import StoredMatrix
from everyword.vectors.neighbours import exact_neighbours, unit_rows


class KnownWords:
    """Normalised words and their vectors, kept as stored until they are needed as floats."""

    def __init__(self, words: Sequence[str], matrix: StoredMatrix) -> None:
        self.words = words
        self.matrix = matrix
        self.row_of = {word: row for row, word in enumerate(words)}

    def __len__(self) -> int:
        return len(self.words)

    def without(self, words: Collection[str]) -> KnownWords:
        """All but some words."""
        left_out = set(words)
        rows = np.array([row for row, word in enumerate(self.words) if word not in left_out], dtype=np.int64)
        return KnownWords([self.words[row] for row in rows.tolist()], self.matrix.take(rows))

    @cached_property
    def _unit_vectors(self) -> FloatArray:
        return unit_rows(self.matrix.floats(), in_place=True)

    def nearest(self, query: FloatArray, k: int, leave_out: str) -> list[tuple[str, float]]:
        """The k known words nearest to a vector by cosine, but for one word."""
        indices, cosines = exact_neighbours(query[None, :], self._unit_vectors, k + 1, matrix_is_unit=True)
        found = [(self.words[row], float(cosine)) for row, cosine in zip(indices[0], cosines[0], strict=True)]
        return [pair for pair in found if pair[0] != leave_out][:k]
