"""Read data sets from text files, plain or gzipped: tab-separated with a header line, or one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from everyword.errors import InputError
from everyword.files import parse_json, read_lines

COMMENT = "#"


def read_rows(path: Path, what: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the numbered rows of a tab-separated file whose header begins with these columns; no cell is empty."""
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
                f"{path}:{number}: needs {', '.join(columns)} between tabs. Got {line[:60]!r}; fix this line."
            )
        yield number, cells


def read_json_lines(path: Path, what: str, keys: Mapping[str, type]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the numbered JSON objects of a file with one per line; each has these keys, with values of these types."""
    for number, line in enumerate(read_lines(path, what), start=1):
        try:
            record = parse_json(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or not all(isinstance(record.get(key), kind) for key, kind in keys.items()):
            expected = ", ".join(f"{key} ({kind.__name__})" for key, kind in keys.items())
            raise InputError(f"{path}:{number}: needs a JSON object with {expected}. Got {line[:60]!r}; fix this line.")
        yield number, record
