"""Data sets as text, plain or gzipped: tab-separated with one header line, or one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from everyword.errors import InputError
from everyword.files import parse_json, read_lines

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


def read_json_lines(path: Path, what: str, keys: Mapping[str, type]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbered objects of a file with one a line; each has these keys, with values of these types."""
    for number, line in enumerate(read_lines(path, what), start=1):
        try:
            record = parse_json(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or not all(isinstance(record.get(key), kind) for key, kind in keys.items()):
            wanted = ", ".join(f"{key} ({kind.__name__})" for key, kind in keys.items())
            raise InputError(f"{path}:{number}: needs a JSON object with {wanted}. Got {line[:60]!r}; mend the line.")
        yield number, record
