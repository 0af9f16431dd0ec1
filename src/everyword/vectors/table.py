"""A vector table: words, and a matrix with one row per word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError, UnknownNameError
from everyword.vectors.neighbours import exact_neighbours, unit_rows

if TYPE_CHECKING:
    from everyword.vectors.problems import Problems

Default = TypeVar("Default")
NAMED_IN_AN_ERROR = 5


class VectorTable:
    """Words and their vectors, in a fixed order.

    >>> table = VectorTable(["cat", "dog"], np.eye(2, dtype=np.float32))
    >>> table["dog"].tolist()
    [0.0, 1.0]
    """

    def __init__(self, words: Sequence[str], matrix: AnyArray) -> None:
        self.words = list(words)
        self.matrix = as_float32(matrix)
        if len(self.words) != len(self.matrix):
            raise InputError(f"A table needs one row per word. Got {len(self.words)} words, {len(self.matrix)} rows.")
        _check_words(self.words)

    @classmethod
    def from_checked(cls, words: list[str], matrix: FloatArray) -> VectorTable:
        """Make a table of valid words and rows without checking them again."""
        table = cls.__new__(cls)
        table.words, table.matrix = words, matrix
        return table

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        format: str | None = None,
        limit: int | None = None,
        lenient: bool = False,
        problems: Problems | None = None,
    ) -> VectorTable:
        """Read a table from a file.

        Args:
            path: The file, in any known format; it may be compressed.
            format: Name of the format; by default it is recognised by the content.
            limit: Read only the first `limit` rows.
            lenient: Skip invalid rows, with a warning that counts them, instead of raising.
            problems: Collects the problems instead of a warning.

        Returns:
            The table.
        """
        from everyword.vectors.read import read_table

        return read_table(path, format=format, limit=limit, lenient=lenient, problems=problems)

    def save(self, path: str | Path, *, format: str | None = None) -> None:
        """Write the table; the suffix of the path determines the format unless `format` names it."""
        from everyword.vectors.write import write_table

        write_table(self, path, format=format)

    @property
    def dim(self) -> int:
        """Dimension of the vectors."""
        return int(self.matrix.shape[1])

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of each word, built on first use."""
        return {word: row for row, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> FloatArray:
        row = self.index.get(word)
        if row is None:
            raise UnknownNameError(f"The word {word!r} is not in the table.")
        vector: FloatArray = self.matrix[row]
        return vector

    def __repr__(self) -> str:
        return f"VectorTable({len(self)} words, dim {self.dim})"

    def get(self, word: str, default: Default | None = None) -> FloatArray | Default | None:
        """Return the vector of a word, or `default`."""
        row = self.index.get(word)
        return default if row is None else self.matrix[row]

    def rows(self, rows: IndexArray | slice) -> FloatArray:
        """Return vectors by row number."""
        chosen: FloatArray = self.matrix[rows]
        return chosen

    def head(self, n: int) -> VectorTable:
        """Return the first `n` rows, as a view."""
        if n < 0:
            raise InputError(f"The number of rows must be 0 or more. Got {n} instead.")
        return self.from_checked(self.words[:n], self.matrix[:n])

    def select(self, words: Sequence[str]) -> VectorTable:
        """Return a table of these words in this order."""
        chosen = list(words)
        missing = [word for word in chosen if word not in self.index]
        if missing:
            named = ", ".join(map(repr, missing[:NAMED_IN_AN_ERROR])) + (", ..." if len(missing) > 5 else "")
            raise UnknownNameError(f"{len(missing)} of {len(chosen)} words are not in the table: {named}")
        _check_words(chosen)
        rows = np.fromiter((self.index[word] for word in chosen), dtype=np.intp, count=len(chosen))
        return self.from_checked(chosen, np.asarray(self.matrix[rows]))

    def unit(self) -> VectorTable:
        """Return the table with vectors of length 1; zero vectors stay zero."""
        return self.from_checked(self.words, unit_rows(self.matrix))

    def nearest(self, queries: AnyArray, k: int) -> list[list[tuple[str, float]]]:
        """Return the `k` nearest words and their cosines for each query vector, best first."""
        indices, cosines = exact_neighbours(as_float32(queries), self.matrix, k)
        return [
            [(self.words[row], float(cosine)) for row, cosine in zip(*pair, strict=True)]
            for pair in zip(indices, cosines, strict=True)
        ]


def as_float32(matrix: AnyArray) -> FloatArray:
    """Return the matrix if it is float32, a copy if it is another float type; refuse anything else."""
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or matrix.dtype.kind != "f":
        seen = f"{matrix.dtype} of shape {matrix.shape}" if isinstance(matrix, np.ndarray) else type(matrix).__name__
        raise InputError(f"Vectors must be a two-dimensional array of floats. Got {seen} instead.")
    if matrix.shape[1] == 0:
        raise InputError("Vectors must have at least one number each. Got an array with 0 columns instead.")
    if matrix.dtype == np.float32:
        return matrix
    # A float64 beyond the range of float32 becomes infinite, which reading and writing refuse.
    with np.errstate(over="ignore"):
        return matrix.astype(np.float32)


def _check_words(words: list[str]) -> None:
    stranger = next((word for word in words if not isinstance(word, str)), None)
    if stranger is not None:
        raise InputError(f"Words must be str. Got {stranger!r} of type {type(stranger).__name__} instead.")
    if len(set(words)) != len(words):
        seen: set[str] = set()
        twice = next(word for word in words if word in seen or seen.add(word))  # type: ignore[func-returns-value]
        raise InputError(f"Each word may appear once in a table. Got {twice!r} twice; keep one of them.")
