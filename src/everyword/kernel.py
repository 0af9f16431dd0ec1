"""The one door to the compiled kernel, an optional C extension (src/kernel) beside the NumPy code.

`compiled` says whether it is there. Where it is, a few functions of `text`, `vectors` and `models` call it instead of
their NumPy code, which is the reference: both give the same vectors up to rounding. The environment variable
`EVERYWORD_PURE=1` switches it off.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from everyword.arrays import AnyArray, FloatArray, HashArray, IdArray, IndexArray

SWITCH = "EVERYWORD_PURE"
INTERFACE = 8
"""Changes when functions or their arguments change, so that a kernel left over from older sources is not used."""


def _opened() -> tuple[ModuleType | None, str]:
    """Return the compiled module, or None, and a word on which code computes."""
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return None, f"NumPy, because {SWITCH} is set"
    try:
        from everyword import _kernel
    except ImportError:
        return None, "NumPy, because the kernel was not compiled when everyword was installed"
    if _kernel.INTERFACE != INTERFACE:
        return None, "NumPy, because the compiled kernel is of another version; install everyword again"
    return _kernel, "compiled"


_module, status = _opened()
compiled = _module is not None
"""Whether the kernel is there and switched on. Tests set it to False to compare both ways."""
if _module is not None:
    from everyword import _kernel

_NOTHING = np.empty(0, dtype=np.float32)
MOST_LEVELS, MOST_HIDDEN = 4, 256
"""Levels of a quantised matrix, and hidden numbers of a gate, that the kernel has room for."""

Weighed = tuple[IndexArray, IndexArray, FloatArray]
"""Pairs of the index of a word and a row, and the weight of each."""
Settings = tuple[int, ...]
Columns = tuple[IndexArray, IndexArray, FloatArray, FloatArray, FloatArray]
"""Of pairs: index of the word, row, share; of words: share of the form, features of the best candidate, one word after
the other."""


@dataclass(frozen=True)
class Rows:
    """A matrix of float32, or of int8 with a scale for each row, as `StoredMatrix` keeps it."""

    values: AnyArray
    scales: FloatArray
    """Empty for floats."""
    width: int

    @classmethod
    def of(cls, values: AnyArray, scales: FloatArray | None) -> Rows | None:
        """Describe a matrix; None if the kernel is not there or does not read its type."""
        if not compiled or values.ndim != 2 or not values.size or values.dtype not in (np.float32, np.int8):
            return None
        return cls(_in_order(values), _NOTHING if scales is None else _in_order(scales), values.shape[1])

    def means(self, rows: IndexArray, lengths: IndexArray) -> FloatArray:
        """Return the mean of the rows of each word: the first `lengths[0]` rows, then the next `lengths[1]`, …"""
        means = np.empty((len(lengths), self.width), dtype=np.float32)
        _kernel.mean_rows((means, _in_order(rows), _in_order(lengths), self.values, self.scales), self.width)
        return means

    def add_product(self, vectors: FloatArray, totals: FloatArray) -> None:
        """Add `vectors` times the matrix to `totals`; zeros in the vectors take no time."""
        _kernel.add_product((totals, vectors, self.values, self.scales), self.width)

    def add_directions(self, pairs: Weighed, least: float, vectors: FloatArray) -> None:
        """Add rows that weigh at least so much, each scaled to length 1 and weighed, to the vectors of words."""
        _kernel.add_rows((vectors, *pairs, self.values, self.scales), least, self.width)


@dataclass(frozen=True)
class CodedRows:
    """A product-quantised matrix, as `QuantisedMatrix` keeps it."""

    levels: tuple[AnyArray, ...]
    """How many numbers the pieces of each codebook have, then for each level its codes and two codebooks."""
    width: int
    rotation: FloatArray | None
    """Turns vectors into the space of the pieces."""

    @classmethod
    def of(
        cls, levels: Sequence[tuple[AnyArray, tuple[FloatArray, ...]]], rotation: FloatArray | None
    ) -> CodedRows | None:
        """Describe levels of codes and codebooks; None if the kernel is not there or does not read so many."""
        if not compiled or len(levels) > MOST_LEVELS:
            return None
        books = [[*books, np.empty((0, 0, 0), dtype=np.float32)][:2] for _, books in levels]
        numbers = np.array([[book.shape[2] for book in both] for both in books], dtype=np.int64)
        arrays = [array for (codes, _), both in zip(levels, books, strict=True) for array in (codes, *both)]
        width = sum(book.shape[0] * book.shape[2] for book in books[0])
        return cls((numbers, *map(_in_order, arrays)), width, rotation)

    def decoded(self, rows: IndexArray) -> FloatArray:
        """Return rows in the space of the pieces, of whatever length."""
        values = np.empty((len(rows), self.width), dtype=np.float32)
        _kernel.decode_rows((values, _in_order(rows.astype(np.int64, copy=False)), *self.levels))
        return values

    def add_directions(self, pairs: Weighed, least: float, vectors: FloatArray) -> None:
        """Add rows that weigh at least so much, each scaled to length 1 and weighed, to the vectors of words."""
        if self.rotation is None:
            _kernel.add_coded((vectors, *pairs, *self.levels), least)
        else:  # sums are turned back rather than every row
            sums = np.zeros_like(vectors)
            _kernel.add_coded((sums, *pairs, *self.levels), least)
            vectors += sums @ self.rotation.T


def add_directions(rows: FloatArray, pairs: Weighed, vectors: FloatArray) -> None:
    """Add rows of floats, each scaled to length 1 and weighed, to the vectors of words."""
    _kernel.add_rows((vectors, *pairs, _in_order(rows), _NOTHING), 0.0, rows.shape[1])


def scale_rows(matrix: FloatArray, length: float) -> None:
    """Scale float32 rows in place to one length; zero rows stay zero. The matrix must be in C order."""
    _kernel.scale_rows((matrix,), matrix.shape[1], length)


def word_rows(words: Sequence[str], arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray]) -> IndexArray:
    """Return what `WordIndex.rows_of` does, from the text, the ends of words in it, keys and rows."""
    return np.frombuffer(_kernel.word_rows(list(words), arrays), dtype=np.int64)


def word_row(word: str, arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray]) -> int:
    """Return the row of one word, -1 for a word that is not listed."""
    return _kernel.word_row(word, arrays)


def ngram_rows(
    words: Sequence[str],
    tables: tuple[HashArray, HashArray, IdArray],
    settings: tuple[int, int, int, int],
    marks: tuple[str, str],
) -> tuple[IndexArray, IndexArray]:
    """Return what `NgramIndex.sequences` does: rows of n-grams of all words, and how many of them each word has.

    The settings are the base of the numbers, by how much their hash is shifted, and the shortest and longest n-gram.
    """
    rows, counts = _kernel.ngram_rows(list(words), tables, *settings, ord(marks[0]), ord(marks[1]))
    return np.frombuffer(rows, dtype=np.int64), np.frombuffer(counts, dtype=np.int64)


def mark_letters(known: AnyArray) -> None:
    """Fill in what words packed for the kernel have besides their letters: the last four fields."""
    _kernel.mark_letters((known,))


def read_words(words: Sequence[str], arrays: tuple[AnyArray, ...], settings: Settings) -> Columns:
    """Return what `KeyReader.read` finds, from its arrays and settings for the kernel."""
    query, row, share, form, best = _kernel.read_words(list(words), arrays, settings)
    return (
        np.frombuffer(query, dtype=np.int64),
        np.frombuffer(row, dtype=np.int64),
        np.frombuffer(share, dtype=np.float32),
        np.frombuffer(form, dtype=np.float32),
        np.frombuffer(best, dtype=np.float32),
    )


def two_layers(
    vector: FloatArray, tables: tuple[Rows, Rows, Rows], biases: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return max(vector @ inner + bias, 0) @ outer + vector @ straight + bias for one vector, (1, width)."""
    inner, outer, straight = tables
    product = biases[1][None, :].copy()
    stored = (inner.values, inner.scales, outer.values, outer.scales, straight.values, straight.scales)
    _kernel.two_layers((product, vector, biases[0], *stored))
    return product


def _in_order(array: AnyArray) -> AnyArray:
    return array if array.flags.carray else np.require(array, requirements=["C", "A"])
