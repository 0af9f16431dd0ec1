"""The one door to the compiled kernel, an optional C extension (src/kernel) beside the NumPy code.

`compiled` says whether it is there. Where it is, a few functions of `text` and `models` call it instead of their NumPy
code, which is the reference: both give the same vectors up to rounding. The environment variable `EVERYWORD_PURE=1`
switches it off.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from everyword.arrays import AnyArray, FloatArray, HashArray, IdArray, IndexArray

SWITCH = "EVERYWORD_PURE"
INTERFACE = 2
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
_KINDS = {"float32": "f", "int8": "b", "uint8": "n"}


@dataclass(frozen=True)
class Rows:
    """A matrix as `StoredMatrix` packs it, in the order of bytes that the kernel reads."""

    values: AnyArray
    scales: FloatArray
    width: int
    kind: str

    @classmethod
    def of(cls, values: AnyArray, scales: FloatArray | None, width: int) -> Rows | None:
        """Describe a matrix of `width` columns; None if the kernel is not there or does not read its type."""
        kind = _KINDS.get(values.dtype.name)
        if not compiled or kind is None or values.ndim != 2 or (scales is None) != (kind == "f"):
            return None
        return cls(_in_order(values), _NOTHING if scales is None else _in_order(scales), width, kind)

    def means(self, rows: IndexArray, lengths: IndexArray) -> FloatArray:
        """Return the mean of the rows of each word: the first `lengths[0]` rows, then the next `lengths[1]`, …"""
        means = np.empty((len(lengths), self.width), dtype=np.float32)
        _kernel.mean_rows(_in_order(rows), _in_order(lengths), self.values, self.scales, self.width, self.kind, means)
        return means

    def add_product(self, vector: FloatArray, total: FloatArray) -> None:
        """Add `vector` times the matrix to `total`."""
        _kernel.times_table(vector, self.values, self.scales, self.width, self.kind, total)

    def add_directions(self, words: IndexArray, rows: IndexArray, weights: FloatArray, vectors: FloatArray) -> None:
        """Add some rows, each scaled to length 1 and weighed, to the vectors of words."""
        _kernel.add_rows(words, rows, weights, self.values, self.scales, self.width, self.kind, vectors)


@dataclass(frozen=True)
class CodedRows:
    """A product-quantised matrix as the kernel reads it."""

    levels: tuple[tuple[AnyArray, AnyArray, int, AnyArray, int], ...]
    """For each level its codes, then for two codebooks the pieces and how many numbers a piece has."""
    width: int
    rotation: FloatArray | None
    """Turns vectors into the space of the pieces."""

    @classmethod
    def of(
        cls, levels: Sequence[tuple[AnyArray, tuple[FloatArray, ...]]], rotation: FloatArray | None
    ) -> CodedRows | None:
        """Describe levels of codes and codebooks; None if the kernel is not there or does not read so many."""
        if not compiled or len(levels) > 4:
            return None
        read = [
            (
                _in_order(codes),
                _in_order(first),
                first.shape[2],
                *((_in_order(rest[0]), rest[0].shape[2]) if rest else (_NOTHING, 0)),
            )
            for codes, (first, *rest) in levels
        ]
        return cls(tuple(read), sum(book.shape[0] * book.shape[2] for book in levels[0][1]), rotation)

    def decoded(self, rows: IndexArray) -> FloatArray:
        """Return rows in the space of the pieces, of whatever length."""
        values = np.empty((len(rows), self.width), dtype=np.float32)
        _kernel.decode_rows(self.levels, _in_order(rows.astype(np.int64, copy=False)), values)
        return values

    def add_directions(self, words: IndexArray, rows: IndexArray, weights: FloatArray, vectors: FloatArray) -> None:
        """Add some rows, each scaled to length 1 and weighed, to the vectors of words."""
        if self.rotation is None:
            _kernel.add_coded(self.levels, words, rows, weights, vectors)
        else:  # sums are turned back rather than every row
            sums = np.zeros_like(vectors)
            _kernel.add_coded(self.levels, words, rows, weights, sums)
            vectors += sums @ self.rotation.T


def word_rows(words: Sequence[str], arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray]) -> IndexArray:
    """Return what `WordIndex.rows_of` does, from the text, the ends of words in it, keys and rows."""
    return np.frombuffer(_kernel.word_rows(list(words), *arrays), dtype=np.int64)


def ngram_rows(
    words: Sequence[str],
    tables: tuple[HashArray, HashArray, IdArray],
    settings: tuple[int, int, int, int],
    marks: tuple[str, str],
) -> tuple[IndexArray, IndexArray]:
    """Return what `NgramIndex.sequences` does: rows of n-grams of all words, and how many of them each word has.

    The settings are the base of the numbers, by how much their hash is shifted, and the shortest and longest n-gram.
    """
    rows, counts = _kernel.ngram_rows(list(words), *tables, *settings, ord(marks[0]), ord(marks[1]))
    return np.frombuffer(rows, dtype=np.int64), np.frombuffer(counts, dtype=np.int64)


def find_candidates(
    words: Sequence[str], arrays: tuple[AnyArray, ...], settings: tuple[int, int, int, int, int, int, int, int]
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return the columns that `CandidateFinder.find` does."""
    query, row, distance = _kernel.find_candidates(list(words), arrays, settings)
    return tuple(np.frombuffer(column, dtype=np.int64) for column in (query, row, distance))  # type: ignore[return-value]


Columns = tuple[IndexArray, IndexArray, IndexArray, AnyArray, IndexArray, FloatArray, FloatArray, FloatArray]
"""Of pairs: index of the word, row, which of its pairs, letters and sounds left, share; of words: share of the form,
features of the best candidate."""


def read_words(
    words: Sequence[str], arrays: tuple[AnyArray, ...], settings: tuple[int, int, int, int, int, int, int, int]
) -> Columns:
    """Return what `KeyReader.read` finds, from the arrays and settings of its `for_kernel`."""
    *found, best = _kernel.read_words(list(words), arrays, settings)
    types = (np.int64, np.int64, np.int64, np.uint32, np.int64, np.float32, np.float32)
    query, row, nth, letters, sounds, share, form = (
        np.frombuffer(column, dtype=kind) for column, kind in zip(found, types, strict=True)
    )
    features = np.frombuffer(best, dtype=np.float32).reshape(len(words), -1) if words else np.empty((0, 0), np.float32)
    return query, row, nth, letters, sounds, share, form, features


def scale_rows(matrix: FloatArray, length: float) -> None:
    """Scale float32 rows in place to one length; zero rows stay zero. The matrix must be in C order."""
    _kernel.scale_rows(matrix, matrix.shape[1], length)


def _in_order(array: AnyArray) -> AnyArray:
    return array if array.flags.carray else np.require(array, requirements=["C", "A"])
