"""Learn the pieces of a quantised matrix and find the codes of its rows, with NumPy alone.

The pieces of each column of codes are learnt by k-means on a sample of the rows in which frequent words, which come
first, are more likely. A rotation before that helps: it gives all columns about the same share of the variance, so that
no byte is spent on next to nothing. A model whose whole space is turned so, by `balancing_rotation`, needs none itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Natural
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.storage.quantised import PIECES, Codes, Level, Matrix, QuantisedMatrix
from everyword.vectors.storage.stored import Precision, StoredMatrix

KnownPrecision = Literal[Precision, "pq"]
"""How vectors of words can be stored."""

ROWS_AT_ONCE = 8192
SMALL_PRODUCT = 1 << 18
"""Multiplications in a product of matrices that BLAS does in one thread: several would mostly wait for each other."""
TINY, FLOOR = 1e-30, 1e-6
"""Share of the mean variance below which a direction counts as empty."""
EQUALLY_LONG = 1e-3
"""Relative difference of lengths that is not worth a number for each row."""
COMMON = 1_000
"""The chance of a row to be in the sample falls with the root of its rank behind so many rows."""


@dataclass(frozen=True)
class Quantisation:
    """How to store vectors as codes (`known_precision = "pq"`)."""

    bytes: Natural = 64
    """Bytes for each row."""
    fine_rows: int = 0
    """How many of the first rows get more bytes."""
    fine_bytes: Natural = 128
    """Bytes for each of these."""
    coarse_from: int = 0
    """The row from which on rows get fewer bytes; 0 for none."""
    coarse_bytes: Natural = 32
    """Bytes for each of these."""
    rotate: bool = True
    """Whether to turn the vectors before they are cut into pieces; needless if the space is turned so already."""
    sample: Natural = 50_000
    """Rows from which pieces are learnt."""
    rounds: Natural = 10
    """Rounds of k-means."""
    seed: int = 0

    def problems(self) -> list[str]:
        """Return a message for each value that cannot be used."""
        found = [f"fine_rows must be 0 or more. Got {self.fine_rows} instead"] if self.fine_rows < 0 else []
        if self.coarse_from < 0 or 0 < self.coarse_from < self.fine_rows:
            found.append(f"coarse_from must be 0, or at least fine_rows. Got {self.coarse_from} instead")
        return found

    def levels(self, rows: int) -> list[tuple[slice, int]]:
        """Return the slices of so many rows that have equally many bytes, with these."""
        coarse = min(self.coarse_from or rows, rows)
        fine = min(self.fine_rows, coarse)
        levels = ((0, fine, self.fine_bytes), (fine, coarse, self.bytes), (coarse, rows, self.coarse_bytes))
        return [(slice(first, end), size) for first, end, size in levels if end > first]


def pack(matrix: FloatArray, precision: KnownPrecision, options: Quantisation | None = None) -> Matrix:
    """Store the vectors of words at a precision; the options are those of "pq"."""
    if precision != "pq":
        return StoredMatrix.pack(matrix, precision)
    return quantise(matrix, options or Quantisation()) if matrix.size else StoredMatrix.pack(matrix, "float32")


def quantise(matrix: FloatArray, options: Quantisation) -> QuantisedMatrix:
    """Learn pieces and return the matrix as codes. 500,000 rows of 256 numbers take about a minute."""
    rng = np.random.default_rng(options.seed)
    shares = [(rows, min(size, matrix.shape[1])) for rows, size in options.levels(len(matrix))]
    rotation = None
    if options.rotate:
        rotation = balancing_rotation(matrix[_sample(len(matrix), options.sample, rng)], [size for _, size in shares])
    levels = []
    for rows, size in shares:
        part = matrix[rows]
        codebooks = _learn(_turned(part[_sample(len(part), options.sample, rng)], rotation), size, options.rounds, rng)
        levels.append(Level(_codes(part, rotation, codebooks), codebooks))
    return QuantisedMatrix(tuple(levels), _lengths(matrix), rotation)


def balancing_rotation(matrix: FloatArray, sizes: list[int]) -> FloatArray:
    """Return a rotation after which pieces of vectors, for each of several numbers of bytes, vary about equally.

    Its columns are the principal components of the unit vectors. The product of the variances inside a piece decides
    how well a byte can render it, so components are grouped such that products are nearly equal: the strongest with
    the weakest. The pieces of a larger number of bytes are grouped first, and these groups then grouped again.

    Args:
        matrix: Vectors, one per row.
        sizes: Bytes per row, as in `Quantisation`.

    Returns:
        An orthogonal matrix of shape (dim, dim); `matrix @ rotation` are the vectors to store, or to train a model on.
    """
    units, dim = unit_rows(matrix), matrix.shape[1]
    variances, axes = np.linalg.eigh((units.T @ units).astype(np.float64) / len(units))
    logs = np.log(np.maximum(variances, max(variances.mean(), TINY) * FLOOR))
    groups = [[column] for column in np.argsort(-logs, kind="stable").tolist()]
    for size in sorted(set(sizes), reverse=True):
        if size < len(groups) and len(groups) % size == 0:
            groups = _grouped(groups, logs, size)
    columns = [column for group in groups for column in group]
    return np.ascontiguousarray(axes[:, columns].reshape(dim, dim), dtype=np.float32)


def _grouped(groups: list[list[int]], logs: FloatArray, count: int) -> list[list[int]]:
    """Join groups into fewer ones, each of equally many, with sums as equal as a greedy choice makes them."""
    largest_first = sorted(groups, key=lambda group: -float(logs[group].sum()))
    capacity, floor = len(groups) // count, min(float(logs[group].sum()) for group in groups)
    joined: list[list[int]] = [[] for _ in range(count)]
    sums, filled = np.zeros(count), np.zeros(count, dtype=np.int64)
    for group in largest_first:
        place = int(np.argmin(np.where(filled < capacity, sums, np.inf)))
        joined[place] += group
        sums[place] += float(logs[group].sum()) - floor
        filled[place] += 1
    return joined


def _sample(rows: int, most: int, rng: np.random.Generator) -> IndexArray:
    if rows <= most:
        return np.arange(rows)
    # The largest of random numbers with weights are a weighted sample without repetition (Efraimidis and Spirakis).
    chances = np.log(rng.random(rows)) * np.sqrt(COMMON + np.arange(rows))
    sample: IndexArray = np.sort(np.argpartition(chances, rows - most)[rows - most :])
    return sample


def _turned(matrix: FloatArray, rotation: FloatArray | None) -> FloatArray:
    units = unit_rows(matrix)
    turned: FloatArray = units if rotation is None else units @ rotation
    return turned


def _lengths(matrix: FloatArray) -> FloatArray:
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    lengths = np.minimum(lengths, np.finfo(np.float32).max)
    mean = float(lengths.mean())
    if np.abs(lengths - mean).max() <= EQUALLY_LONG * mean:
        return np.array([mean if abs(mean - 1) > EQUALLY_LONG else 1], dtype=np.float32)
    each: FloatArray = lengths.astype(np.float32)
    return each


def _learn(sample: FloatArray, size: int, rounds: int, rng: np.random.Generator) -> tuple[FloatArray, ...]:
    """Return codebooks for vectors of `size` bytes: one, or two if pieces cannot be equally long."""
    numbers, longer = divmod(sample.shape[1], size)
    books, column = [], 0
    for count, width in ((longer, numbers + 1), (size - longer, numbers)):
        if count:
            starts = range(column, column + count * width, width)
            books.append(np.stack([_k_means(sample[:, at : at + width], rounds, rng) for at in starts]))
            column += count * width
    return tuple(books)


def _k_means(values: FloatArray, rounds: int, rng: np.random.Generator) -> FloatArray:
    """Return the 256 pieces that render values best; fewer different values leave some unused."""
    values = np.ascontiguousarray(values)
    pieces = np.zeros((PIECES, values.shape[1]), dtype=np.float32)
    first = rng.choice(len(values), min(PIECES, len(values)), replace=False)
    pieces[: len(first)] = values[first]
    for _ in range(rounds):
        nearest = _nearest(values, pieces)
        counts = np.bincount(nearest, minlength=PIECES)
        sums = np.stack([np.bincount(nearest, weights=column, minlength=PIECES) for column in values.T], axis=1)
        used = counts > 0
        pieces[used] = (sums[used] / counts[used, None]).astype(np.float32)
    return pieces


def _nearest(values: FloatArray, pieces: FloatArray) -> Codes:
    """Return the nearest piece of each value."""
    codes = np.empty(len(values), dtype=np.uint8)
    # The nearest has the largest product less half its square, which one more column subtracts.
    asked = np.concatenate([values, np.ones((len(values), 1), dtype=np.float32)], axis=1)
    offered = np.concatenate([pieces.T, -np.square(pieces.T).sum(axis=0, keepdims=True) / 2])
    step = max(1, SMALL_PRODUCT // offered.size)
    for first in range(0, len(values), step):
        codes[first : first + step] = (asked[first : first + step] @ offered).argmax(axis=1)
    return codes


def _codes(matrix: FloatArray, rotation: FloatArray | None, codebooks: tuple[FloatArray, ...]) -> Codes:
    codes = np.empty((len(matrix), sum(len(book) for book in codebooks)), dtype=np.uint8)
    for first in range(0, len(matrix), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        values, byte, column = _turned(matrix[rows], rotation), 0, 0
        for book in codebooks:
            for pieces in book:
                codes[rows, byte] = _nearest(np.ascontiguousarray(values[:, column : column + pieces.shape[1]]), pieces)
                byte, column = byte + 1, column + pieces.shape[1]
    return codes
