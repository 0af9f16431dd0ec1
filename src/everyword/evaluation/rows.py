"""Data sets as text: tab-separated, one header line, plain or gzipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from everyword.errors import InputError
from everyword.files import read_lines

COMMENT = "#"


def read_rows(path: Path, what: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Numbered rows of a tab-separated file whose header begins with these columns; each has them all, none empty."""
    lines = read_lines(path, what)
    header = lines[0].split("\t")
    if header[: len(columns)] != list(columns):
        raise InputError(
            f"{path}:1: the first line must name the columns {', '.join(columns)}, with tabs between them. "
            f"Got {lines[0][:60]!r}."
        )
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")[: len(columns)]
        if len(cells) < len(columns) or not all(cell.strip() for cell in cells):
            raise InputError(
                f"{path}:{number}: needs {', '.join(columns)} between tabs. Got {line[:60]!r}; mend the line."
            )
        yield number, cells
