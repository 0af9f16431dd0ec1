"""Known words: the words with stored vectors, in sections."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from everyword.arrays import BoolArray, ByteArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.models.word_index import WordIndex
from everyword.models.word_list import WordList
from everyword.vectors.neighbours import SLACK, exact_neighbours, unit_rows
from everyword.vectors.storage.quantised import Matrix, QuantisedMatrix

ROWS_AT_ONCE = 1024
"""Rows that are floats at the same time: they fit the cache, so packed rows are searched about as fast as floats."""
QUERIES_AT_ONCE = 64
"""Vectors whose neighbours are searched together: their cosines to 150,000 words take 40 MB."""

WORDS, PHRASES, FOREIGN = "words", "phrases", "foreign"
"""Sections: single words, terms of several words, and words of other languages than the model's."""

Neighbours = list[tuple[str, float]]
"""Known words and their cosines, best first."""


class KnownWords:
    """Normalised words and their vectors, kept as stored: only the rows at work are turned into floats."""

    def __init__(
        self,
        words: Sequence[str],
        matrix: Matrix,
        sections: Mapping[str, int] | None = None,
        *,
        index: WordIndex | None = None,
        reliability: ByteArray | None = None,
    ) -> None:
        """Store words with their vectors.

        Args:
            words: Normalised words, most frequent first in each section.
            matrix: Their vectors.
            sections: How many words each section has, in their order; without it all are in the section "words".
                Words of other languages, in the section "foreign", come last.
            index: The rows of the words, if they were saved.
            reliability: How much each vector can be relied on, in 255ths; without it all are certain.

        Raises:
            InputError: If the sections do not hold all words.
        """
        self.words = index.words if index is not None else WordList.of(words)
        self.matrix = matrix
        self.index = index if index is not None else WordIndex.of(self.words)
        self.sections: Mapping[str, range] = sections_of(sections or {WORDS: len(self.words)}, len(self.words))
        """The rows of each section."""
        self.reliability = reliability

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dim(self) -> int:
        """Return the length of a vector."""
        return self.matrix.shape[1]

    def rows(self, rows: IndexArray | slice) -> FloatArray:
        """Return some of the vectors by their rows, as a table does."""
        return self.matrix.floats(rows)

    def rows_of(self, words: Sequence[str]) -> IndexArray:
        """Return the row of each normalised word, -1 for a word that is not known."""
        return self.index.rows_of(words)

    def confidences(self, rows: IndexArray) -> FloatArray:
        """Return how much the vectors of rows can be relied on, from 0 to 1; rows below 0 have 0."""
        if self.reliability is None:
            return (rows >= 0).astype(np.float32)
        found: FloatArray = np.where(rows >= 0, self.reliability[rows].astype(np.float32) / 255, np.float32(0))
        return found

    def section_sizes(self, in_front: int = 0) -> dict[str, int]:
        """Return how many words each section has; optionally with further words in front of all."""
        sizes = {WORDS: 0} if in_front else {}
        sizes |= {name: len(rows) for name, rows in self.sections.items()}
        return sizes | {WORDS: sizes[WORDS] + in_front} if in_front else sizes

    def without(self, words: Collection[str]) -> KnownWords:
        """Return all words except some."""
        keep = np.ones(len(self.words), dtype=np.bool_)
        rows = self.rows_of(list(words))
        keep[rows[rows >= 0]] = False
        return self._kept(keep)

    def first(self, count: int) -> KnownWords:
        """Return the first words of the first section, at most so many."""
        return self if len(self) <= count else self._kept(np.arange(len(self)) < min(count, len(self.sections[WORDS])))

    def _kept(self, keep: BoolArray) -> KnownWords:
        sizes = {name: int(keep[rows.start : rows.stop].sum()) for name, rows in self.sections.items()}
        reliability = None if self.reliability is None else self.reliability[keep]
        return KnownWords(self.words.kept(keep), self.matrix.take(np.flatnonzero(keep)), sizes, reliability=reliability)

    def searched(self, foreign: bool = False) -> int:
        """Return how many rows are searched: those of other languages come last."""
        return len(self.words) if foreign or FOREIGN not in self.sections else self.sections[FOREIGN].start

    def _blocks(self, count: int) -> Iterator[tuple[slice, FloatArray]]:
        for first in range(0, count, ROWS_AT_ONCE):
            rows = slice(first, min(first + ROWS_AT_ONCE, count))
            yield rows, self.matrix.floats(rows)

    @cached_property
    def _shares_of_length(self) -> FloatArray:
        """Return one over the length of each vector; 0 for a zero vector."""
        lengths = np.empty(len(self.words))
        for rows, vectors in self._blocks(len(self.words)):
            lengths[rows] = np.linalg.norm(vectors.astype(np.float64), axis=1)
        return np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0).astype(np.float32)

    def _rough_cosines(self, queries: FloatArray, count: int) -> FloatArray:
        """Return the cosines of vectors to the first words."""
        directions = unit_rows(queries)
        cosines = np.empty((len(queries), count), dtype=np.float32)
        if isinstance(self.matrix, QuantisedMatrix):
            directions = self.matrix.directions(directions)
            for first in range(0, count, ROWS_AT_ONCE):
                rows = slice(first, min(first + ROWS_AT_ONCE, count))
                cosines[:, rows] = self.matrix.cosines(directions, rows)
            return cosines
        for rows, vectors in self._blocks(count):
            cosines[:, rows] = directions @ vectors.T
        cosines *= self._shares_of_length[:count]
        return cosines

    def nearest(
        self,
        queries: FloatArray,
        k: int,
        leave_out: Sequence[Collection[str]] | None = None,
        *,
        foreign: bool = False,
    ) -> list[Neighbours]:
        """Return for each vector the k known words nearest by cosine, except some; none for a zero vector.

        Words of the section "foreign" are searched only on request.
        """
        found: list[Neighbours] = []
        count = self.searched(foreign)
        for first in range(0, len(queries), QUERIES_AT_ONCE):
            part = queries[first : first + QUERIES_AT_ONCE]
            others = leave_out[first : first + QUERIES_AT_ONCE] if leave_out is not None else [()] * len(part)
            rough = self._rough_cosines(part, count)
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


def sections_of(sizes: Mapping[str, int], words: int) -> dict[str, range]:
    """Return the rows of sections from their sizes; raise InputError if they do not hold all words."""
    if sum(sizes.values()) != words or min(sizes.values()) < 0:
        raise InputError(f"The sections must hold all {words:,} words. Got {dict(sizes)} instead.")
    if FOREIGN in sizes and list(sizes)[-1] != FOREIGN:
        raise InputError(f"The section {FOREIGN!r} must be the last. Got {', '.join(sizes)} instead.")
    sections, first = {}, 0
    for name, size in sizes.items():
        sections[name] = range(first, first + size)
        first += size
    return sections
