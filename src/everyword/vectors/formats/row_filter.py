"""Validation of rows read from a file."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray
from everyword.vectors.formats.base import Block
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

FLOATS_AT_FIRST = 1 << 20
FLOATS_AT_MOST = 1 << 23
"""Per block, whatever the number of rows."""


class RowFilter:
    """Validates words and rows of one file; `unit` is "line" or "row", whatever its numbers count."""

    def __init__(self, source: InputFile, problems: Problems, dim: int, unit: str = "line") -> None:
        self.dim = dim
        self._path = source.path
        self._problems = problems
        self._unit = unit
        self._seen: set[str] = set()

    def reject(self, kind: str, number: int, message: str) -> None:
        """Report an unusable row by its number."""
        self._problems.skip(kind, self._location(number), message)

    def word(self, raw: bytes, number: int) -> str | None:
        """Decode a word; report it and return None if it is not UTF-8."""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.reject("word that is not UTF-8", number, f"the word {raw[:40]!r} is not UTF-8 text")
            return None

    def accepts(self, word: str, row: FloatArray, number: int) -> bool:
        """Return whether a row is valid, and report it if not. The first of several equal words wins."""
        if not word:
            self.reject("empty word", number, "the word is empty")
        elif word in self._seen:
            self.reject("duplicate word", number, f"the word {word!r} appears for the second time")
        elif not np.isfinite(row).all():
            self.reject("NaN or infinity", number, f"the vector of {word!r} holds NaN or infinity")
        else:
            self._seen.add(word)
            return True
        return False

    def check_count(self, promised: int, found: int) -> None:
        """Compare the count of the header with the number of rows found, valid or not."""
        if promised != found:
            self._problems.remark(str(self._path), f"the header promises {promised} rows but the file has {found}")

    def remark(self, message: str) -> None:
        """Report a problem of the file as a whole."""
        self._problems.remark(str(self._path), message)

    def _location(self, number: int) -> str:
        return f"{self._path}:{number}" if self._unit == "line" else f"{self._path}, row {number}"


def admitted(raw_words: list[bytes], rows: FloatArray, row_filter: RowFilter, first_number: int) -> Block:
    """Return the valid ones of some words and rows, which are counted from `first_number`."""
    words, kept = [], []
    for index, (raw, row) in enumerate(zip(raw_words, rows, strict=True)):
        word = row_filter.word(raw, first_number + index)
        if word is not None and row_filter.accepts(word, row, first_number + index):
            words.append(word)
            kept.append(index)
    # Nothing is copied where nothing was turned away.
    return words, rows if len(kept) == len(rows) else rows[kept]


class BlockBuilder:
    """Collects valid rows into a block."""

    def __init__(self, capacity: int, dim: int) -> None:
        self.words: list[str] = []
        self._capacity = capacity
        # Room for all rows if they are of the usual size; a header that boasts gets no memory for rows that never come.
        self._matrix = np.empty((min(capacity, max(1, FLOATS_AT_FIRST // dim)), dim), dtype=np.float32)

    def add(self, word: str, row: FloatArray) -> None:
        """Append one row."""
        if len(self.words) == len(self._matrix):
            self._matrix.resize((min(self._capacity, 2 * len(self._matrix)), self._matrix.shape[1]), refcheck=False)
        self._matrix[len(self.words)] = row
        self.words.append(word)

    @property
    def full(self) -> bool:
        """Whether the block is complete."""
        return len(self.words) == self._capacity or len(self.words) * self._matrix.shape[1] > FLOATS_AT_MOST

    def block(self) -> Block:
        return self.words, self._matrix[: len(self.words)]
