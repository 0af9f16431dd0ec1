"""Vectors as codes: each byte of a row names one of 256 short pieces of a vector (product quantisation).

Half a million vectors of 256 floats are 512 MB. Cut into 64 pieces of four numbers, each replaced with the most similar
of 256 learnt pieces, they are 32 MB and still of cosine .96 to what they were; 128 pieces of two numbers are .996. So
rows have levels: the first, of frequent words, may get more bytes than the rest. All rows keep their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from everyword import kernel
from everyword.arrays import MOST_DIMENSIONS, AnyArray, FloatArray, IndexArray
from everyword.errors import DamagedModelError
from everyword.vectors.neighbours import LARGE_SQUARE, SMALL_SQUARE, rows_of_length
from everyword.vectors.storage.stored import StoredMatrix

PIECES = 256
"""How many pieces a byte chooses from."""

Codes = NDArray[np.uint8]


@dataclass(frozen=True)
class Level:
    """Rows with the same number of bytes, and the pieces that these choose from."""

    codes: Codes
    """(rows, bytes)."""
    codebooks: tuple[FloatArray, ...]
    """(bytes, 256, numbers in a piece); two if pieces differ in length, the longer pieces first."""

    @property
    def dim(self) -> int:
        """Return the length of a vector."""
        return sum(book.shape[0] * book.shape[2] for book in self.codebooks)

    @cached_property
    def _tables(self) -> list[tuple[slice, slice, AnyArray, IndexArray]]:
        """Return for each codebook its columns of codes and of floats, its pieces as single items, and offsets."""
        tables, first, column = [], 0, 0
        for book in self.codebooks:
            count, _, numbers = book.shape
            # A piece is moved as one item; then one gather does for all columns.
            pieces = np.ascontiguousarray(book).reshape(-1).view(np.dtype((np.void, 4 * numbers)))
            codes, floats = slice(first, first + count), slice(column, column + count * numbers)
            tables.append((codes, floats, pieces, np.arange(count) * PIECES))
            first, column = codes.stop, floats.stop
        return tables

    def decoded(self, rows: IndexArray | slice | list[int]) -> FloatArray:
        """Return the pieces of rows, joined."""
        codes, parts = self.codes[rows], []
        for columns, _, pieces, offsets in self._tables:
            # "clip" saves the check of bounds; no byte is out of them.
            parts.append(np.take(pieces, codes[:, columns] + offsets, mode="clip").view(np.float32))
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


@dataclass(frozen=True)
class QuantisedMatrix:
    """A matrix of which each row is a few bytes; `vectors.storage.quantising` makes it from floats."""

    levels: tuple[Level, ...]
    """One after the other; none is empty."""
    lengths: FloatArray
    """The length of each vector, or a single number if all are equally long."""
    rotation: FloatArray | None = None
    """Turns vectors into the space of the pieces, (dim, dim)."""

    def __len__(self) -> int:
        return sum(len(level.codes) for level in self.levels)

    @property
    def precision(self) -> str:
        """Return the name of this way to store numbers."""
        return "pq"

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the matrix as floats."""
        return len(self), self.levels[0].dim

    def floats(self, rows: IndexArray | slice = slice(None)) -> FloatArray:
        """Return some rows, or all, as float32."""
        values = self._decoded(rows)
        if self.rotation is not None:
            values = values @ self.rotation.T
        if len(values) == 1 and len(self.lengths) == 1:  # a word on its own should not pay for the checks of many
            square = float(values[0] @ values[0])
            if SMALL_SQUARE < square < LARGE_SQUARE:
                values *= float(self.lengths[0]) / sqrt(square)
                return values
        rows_of_length(values, 1.0)
        if len(self.lengths) != 1:
            values *= self.lengths[rows][:, None]
        elif self.lengths[0] != 1:
            values *= self.lengths[0]
        return values

    def sum_of_directions(self, rows: IndexArray, weights: FloatArray) -> FloatArray:
        """Return the sum of a few rows, each scaled to length 1 and weighed."""
        total, listed, shares = np.zeros(self.shape[1], dtype=np.float32), rows.tolist(), weights.tolist()
        for level, first in self._levels_and_rows():
            end = first + len(level.codes)
            here = [(row - first, share) for row, share in zip(listed, shares, strict=True) if first <= row < end]
            if here:
                values = level.decoded([row for row, _ in here])
                squares = np.einsum("ij,ij->i", values, values).tolist()
                if min(squares) <= SMALL_SQUARE or max(squares) >= LARGE_SQUARE or len(self.lengths) > 1:
                    return weights @ rows_of_length(self.floats(rows), 1.0)
                total += (
                    np.array(
                        [share / sqrt(square) for (_, share), square in zip(here, squares, strict=True)],
                        dtype=np.float32,
                    )
                    @ values
                )
        if not self.lengths[0]:
            return np.zeros_like(total)
        return total if self.rotation is None else self.rotation @ total

    @cached_property
    def packed(self) -> kernel.CodedRows | None:
        """Return the rows as the compiled kernel reads them; None if it is not there or cannot."""
        if self.lengths.min(initial=1) == 0:
            return None  # what has no length has no direction either
        return kernel.CodedRows.of([(level.codes, level.codebooks) for level in self.levels], self.rotation)

    def _decoded(self, rows: IndexArray | slice) -> FloatArray:
        """Return rows in the space of the pieces, of whatever length."""
        if kernel.compiled and self.packed is not None:
            if isinstance(rows, slice):
                rows = np.arange(*rows.indices(len(self)))
            return self.packed.decoded(rows)
        if isinstance(rows, slice):
            chosen = range(len(self))[rows]
            if chosen.step == 1:
                return self._decoded_between(chosen.start, max(chosen.start, chosen.stop))
            rows = np.arange(chosen.start, chosen.stop, chosen.step)
        if len(self.levels) == 1:
            return self.levels[0].decoded(rows)
        values = np.empty((len(rows), self.shape[1]), dtype=np.float32)
        for level, first in self._levels_and_rows():
            here = np.flatnonzero((rows >= first) & (rows < first + len(level.codes)))
            if len(here) == len(rows):
                return level.decoded(rows - first)
            values[here] = level.decoded(rows[here] - first)
        return values

    def _decoded_between(self, start: int, stop: int) -> FloatArray:
        parts = []
        for level, first in self._levels_and_rows():
            begin, end = max(start, first), min(stop, first + len(level.codes))
            if begin < end:
                parts.append(level.decoded(slice(begin - first, end - first)))
        if not parts:
            return np.empty((0, self.shape[1]), dtype=np.float32)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _levels_and_rows(self) -> Iterator[tuple[Level, int]]:
        first = 0
        for level in self.levels:
            yield level, first
            first += len(level.codes)

    def directions(self, vectors: FloatArray) -> FloatArray:
        """Return vectors in the space of the pieces, where `cosines` wants them: they are turned once for all rows."""
        return vectors if self.rotation is None else vectors @ self.rotation

    def cosines(self, directions: FloatArray, rows: slice) -> FloatArray:
        """Return the cosines of unit vectors, turned by `directions`, to consecutive rows."""
        values = self._decoded(rows)
        shares = self._shares_of_length[rows]
        if np.isnan(shares).any():
            squares = np.einsum("ij,ij->i", values, values)
            there = (squares > 0) & ((self.lengths[rows] if len(self.lengths) > 1 else self.lengths) > 0)
            shares[:] = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=there)
        products: FloatArray = directions @ values.T
        products *= shares
        return products

    @cached_property
    def _shares_of_length(self) -> FloatArray:
        """Return one over the length of each row as decoded, 0 for a zero row; NaN until a search comes by."""
        return np.full(len(self), np.nan, dtype=np.float32)

    def take(self, rows: IndexArray) -> StoredMatrix | QuantisedMatrix:
        """Return some of the rows, as codes if those of each level stay together, and otherwise as float32."""
        level_of = np.searchsorted(self._ends, rows, side="right")
        if not len(rows) or (np.diff(level_of) < 0).any():
            return StoredMatrix(self.floats(rows))
        levels = [
            Level(level.codes[rows[level_of == number] - first], level.codebooks)
            for number, (level, first) in enumerate(self._levels_and_rows())
        ]
        lengths = self.lengths if len(self.lengths) == 1 else self.lengths[rows]
        return QuantisedMatrix(tuple(level for level in levels if len(level.codes)), lengths, self.rotation)

    @cached_property
    def _ends(self) -> IndexArray:
        return np.cumsum([len(level.codes) for level in self.levels])

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """Return the arrays to save, by name."""
        tensors: dict[str, AnyArray] = {f"{name}.lengths": self.lengths}
        if self.rotation is not None:
            tensors[f"{name}.rotation"] = self.rotation
        for number, level in enumerate(self.levels):
            tensors[f"{name}.codes{number}"] = level.codes
            for which, book in enumerate(level.codebooks):
                tensors[f"{name}.codebook{number}.{which}"] = book
        return tensors

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], name: str) -> QuantisedMatrix:
        """Read what `to_tensors` made; raise DamagedModelError for arrays that it cannot have made."""
        levels: list[Level] = []
        while (codes := tensors.get(f"{name}.codes{len(levels)}")) is not None:
            books = (tensors.get(f"{name}.codebook{len(levels)}.{which}") for which in (0, 1))
            levels.append(Level(codes, tuple(book for book in books if book is not None)))
        lengths, rotation = tensors.get(f"{name}.lengths"), tensors.get(f"{name}.rotation")
        if lengths is None or not _are_levels(levels) or not _fit(levels, lengths, rotation):
            raise DamagedModelError(f"The quantised table {name!r} of the model is incomplete or of the wrong size.")
        return cls(tuple(levels), lengths, rotation)


Matrix = StoredMatrix | QuantisedMatrix
"""Vectors of words, however they are stored."""


def read_matrix(tensors: Mapping[str, AnyArray], name: str) -> Matrix:
    """Read a matrix from the tensors of a file."""
    kind = QuantisedMatrix if f"{name}.codes0" in tensors else StoredMatrix
    return kind.from_tensors(tensors, name)


def _are_levels(levels: Sequence[Level]) -> bool:
    """Return whether the arrays of a file can be levels of one matrix."""
    for level in levels:
        if not level.codebooks or not all(_is_codebook(book) for book in level.codebooks):
            return False
        codes, pieces = level.codes, sum(len(book) for book in level.codebooks)
        if codes.dtype != np.uint8 or codes.ndim != 2 or not len(codes) or codes.shape[1] != pieces:
            return False
    return len({level.dim for level in levels}) == 1


def _is_codebook(book: AnyArray) -> bool:
    if book.dtype != np.float32 or book.ndim != 3 or book.shape[1] != PIECES or not book.size:
        return False
    return book.shape[0] * book.shape[2] <= MOST_DIMENSIONS and bool(np.isfinite(book).all())


def _fit(levels: Sequence[Level], lengths: AnyArray, rotation: AnyArray | None) -> bool:
    """Return whether lengths and rotation of a file fit its levels."""
    rows, dim = sum(len(level.codes) for level in levels), levels[0].dim
    if lengths.dtype != np.float32 or lengths.shape not in ((1,), (rows,)):
        return False
    if not (np.isfinite(lengths).all() and (lengths >= 0).all()):
        return False
    if rotation is None:
        return True
    return rotation.dtype == np.float32 and rotation.shape == (dim, dim) and bool(np.isfinite(rotation).all())
