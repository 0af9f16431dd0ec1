"""Write tables to files, at once or block by block; a file appears only when it is complete."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import numpy as np

from everyword.arrays import AnyArray
from everyword.atomic import AtomicFiles
from everyword.errors import InputError
from everyword.vectors.formats.base import Format, Sink
from everyword.vectors.formats.guess import format_for_writing
from everyword.vectors.table import VectorTable, as_float32

BLOCK_ROWS = 2048


def write_table(table: VectorTable, path: str | Path, *, format: str | None = None) -> None:
    """Write a table.

    Args:
        table: The table.
        path: The file; its suffix determines the format (.vec, .bin, .npy, …; .gz and .xz compress text).
        format: Name of the format, if the suffix should not decide.

    Raises:
        InputError: If the format is unknown or cannot hold the table.
    """
    with open_writer(path, table.dim, format=format, count=len(table)) as writer:
        for start in range(0, len(table), BLOCK_ROWS):
            writer.write(table.words[start : start + BLOCK_ROWS], table.matrix[start : start + BLOCK_ROWS])


def open_writer(path: str | Path, dim: int, *, format: str | None = None, count: int | None = None) -> TableWriter:
    """Write a table block by block: `with open_writer(path, 100) as writer: writer.write(words, rows)`.

    Args:
        path: The file; its suffix determines the format.
        dim: Dimension of the vectors.
        format: Name of the format, if the suffix should not decide.
        count: Number of rows; needed only for compressed word2vec files, whose header is written first.

    Returns:
        A context manager; leaving its block completes the file.
    """
    if dim < 1:
        raise InputError(f"The 'dim' of a table must be at least 1. Got {dim} instead.")
    path = Path(path)
    return TableWriter(format_for_writing(path, format), path, dim, count)


class TableWriter:
    """A table that is being written; leaving the `with` block completes it, an error inside removes it."""

    def __init__(self, form: Format, path: Path, dim: int, count: int | None) -> None:
        self.path = path
        self.dim = dim
        self._form = form
        self._promised = count
        self._seen: set[str] = set()
        self._staging: AtomicFiles | None = None
        self._sink: Sink | None = None

    def __enter__(self) -> TableWriter:
        assert self._form.open_sink is not None  # format_for_writing saw to it
        self._staging = AtomicFiles(self.path)
        try:
            self._sink = self._form.open_sink(self._staging, self.dim, self._promised)
        except BaseException:
            self._staging.discard()
            raise
        return self

    def write(self, words: Sequence[str], rows: AnyArray) -> None:
        """Append words and their rows."""
        if self._sink is None:
            raise InputError(f"{self.path}: the writer is not open; use it in a 'with' block.")
        matrix = as_float32(rows)
        if matrix.shape != (len(words), self.dim):
            raise InputError(
                f"{self.path}: {len(words)} words of dim {self.dim} cannot go with an array of shape {matrix.shape}."
            )
        if not np.isfinite(matrix).all():
            bad = words[int(np.argmin(np.isfinite(matrix).all(axis=1)))]
            raise InputError(f"{self.path}: the vector of {bad!r} holds NaN or infinity and is not written.")
        self._refuse_duplicates(words)
        self._sink.put(list(words), matrix)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._staging is not None  # set on entry
        staging, complete = self._staging, False
        try:
            if error is None:
                self._finish()
                staging.commit()
                complete = True
        finally:
            self._sink = None
            if not complete:
                staging.discard()

    def _finish(self) -> None:
        assert self._sink is not None  # set on entry
        written = len(self._seen)
        if self._promised is not None and self._promised != written:
            raise InputError(f"{self.path}: {self._promised} rows were promised but {written} were written.")
        self._sink.finish(written)

    def _refuse_duplicates(self, words: Sequence[str]) -> None:
        for word in words:
            if word in self._seen:
                raise InputError(f"{self.path}: the word {word!r} was written before; write each word once.")
            self._seen.add(word)
