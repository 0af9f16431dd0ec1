"""Read tables from files, at once or block by block."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.registry import vector_formats
from everyword.vectors.formats.base import Block, Format, Rows
from everyword.vectors.formats.guess import guess_source, open_source
from everyword.vectors.input_file import DAMAGE, InputFile, damaged
from everyword.vectors.problems import Problems
from everyword.vectors.table import VectorTable

BLOCK_ROWS = 2048


def read_table(
    path: str | Path,
    *,
    format: str | None = None,
    limit: int | None = None,
    lenient: bool = False,
    problems: Problems | None = None,
) -> VectorTable:
    """Read a table.

    Args:
        path: The file, which may be compressed.
        format: Name of the format; by default it is recognised by the content.
        limit: Read only the first `limit` rows.
        lenient: Skip invalid rows, with a warning that counts them, instead of raising.
        problems: Collects the problems instead; `Problems(lenient=True)` counts them without a warning.

    Returns:
        The table.

    Raises:
        InputError: If the file cannot be read or, unless `lenient`, has invalid rows.
    """
    collector = problems if problems is not None else Problems(lenient=lenient)
    with _opened(path, format, limit, collector) as rows:
        table = _collected_table(rows) if rows.mapped is None else _mapped_table(rows, rows.mapped, collector)
    if problems is None:
        _warn(path, collector)
    return table


@contextmanager
def open_rows(
    path: str | Path,
    *,
    format: str | None = None,
    limit: int | None = None,
    lenient: bool = False,
    problems: Problems | None = None,
) -> Iterator[Rows]:
    """Stream a table: `with open_rows(path) as rows: for words, matrix in rows: ...`.

    Takes the arguments of `read_table`.
    """
    collector = problems if problems is not None else Problems(lenient=lenient)
    with _opened(path, format, limit, collector) as rows:
        yield rows
    if problems is None:
        _warn(path, collector)


@contextmanager
def _opened(path: str | Path, format: str | None, limit: int | None, problems: Problems) -> Iterator[Rows]:
    if limit is not None and limit < 0:
        raise InputError(f"The 'limit' must be 0 or more rows. Got {limit} instead.")
    source = open_source(path)
    try:
        yield _open(source, _choose_format(source, format), problems, limit)
    finally:
        source.close()


def _warn(path: str | Path, problems: Problems) -> None:
    if problems:
        # The caller's line is two frames up: past this function and the public one.
        warnings.warn(f"{path}: {problems.summary()}", stacklevel=3)


def _choose_format(source: InputFile, name: str | None) -> Format:
    if name is None:
        return guess_source(source)
    form: Format = vector_formats.get(name)
    source.head()
    return form


def _open(source: InputFile, form: Format, problems: Problems, limit: int | None) -> Rows:
    block_rows = BLOCK_ROWS if limit is None else max(1, min(BLOCK_ROWS, limit))
    try:
        rows = form.read(source, problems, block_rows)
    except DAMAGE as error:
        raise damaged(source.path, error) from error
    blocks = _undamaged(rows.blocks, source)
    if limit is None:
        return replace(rows, blocks=blocks)
    count = None if rows.count is None else min(rows.count, limit)
    return replace(rows, count=count, blocks=_first_rows(blocks, limit))


def _undamaged(blocks: Iterator[Block], source: InputFile) -> Iterator[Block]:
    try:
        yield from blocks
    except DAMAGE as error:
        raise damaged(source.path, error) from error


def _first_rows(blocks: Iterator[Block], limit: int) -> Iterator[Block]:
    left = limit
    while left > 0:
        block = next(blocks, None)
        if block is None:
            return
        words, rows = block
        yield words[:left], rows[:left]
        left -= len(words)


def _collected_table(rows: Rows) -> VectorTable:
    """Collect blocks in one growing matrix; the header's count is not trusted."""
    words: list[str] = []
    matrix: FloatArray = np.empty((0, rows.dim), dtype=np.float32)
    for block_words, block in rows:
        needed = len(words) + len(block_words)
        if needed > len(matrix):
            # Resizing in place lets the system move pages instead of copying; nothing else refers to the array.
            matrix.resize((max(needed, len(matrix) * 3 // 2), rows.dim), refcheck=False)
        matrix[len(words) : needed] = block
        words.extend(block_words)
    matrix.resize((len(words), rows.dim), refcheck=False)
    return VectorTable.from_checked(words, matrix)


def _mapped_table(rows: Rows, mapped: FloatArray, problems: Problems) -> VectorTable:
    """Keep the memory map if every row is valid; otherwise copy the valid rows."""
    skipped_before = sum(problems.skipped.values())
    blocks = list(rows)
    words = [word for block_words, _ in blocks for word in block_words]
    if sum(problems.skipped.values()) == skipped_before:
        return VectorTable.from_checked(words, mapped[: len(words)])
    matrix = np.concatenate([block for _, block in blocks] or [mapped[:0]])
    return VectorTable.from_checked(words, matrix)
