"""Data sets as text: tab-separated, one header line, plain or gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from everyword.errors import InputError

COMMENT = "#"
BYTE_ORDER_MARK = "\ufeff"


def read_lines(path: Path, what: str) -> list[str]:
    """The lines of a UTF-8 file, which may be gzipped, without line ends; `what` is what it should hold."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except FileNotFoundError:
        raise InputError(f"There is no {what} {path}; check the path.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}. Save it as UTF-8.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} is no whole gzip file: {error}. Get it again.") from None
    # Not splitlines: a word may hold what Unicode calls a line end.
    lines = text.removeprefix(BYTE_ORDER_MARK).rstrip("\n").split("\n")
    if lines == [""]:
        raise InputError(f"{path} is empty; a {what} was expected.")
    return [line.rstrip("\r") for line in lines]


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
