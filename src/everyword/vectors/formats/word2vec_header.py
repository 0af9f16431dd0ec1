"""The line "rows dim" that opens both word2vec formats."""

from __future__ import annotations

import re
from typing import IO

from everyword.arrays import MOST_DIMENSIONS
from everyword.atomic import AtomicFiles
from everyword.errors import InputError
from everyword.vectors.containers import Source
from everyword.vectors.formats.text_rows import UTF8_BOM, first_line, is_number

HEADER = re.compile(rb"(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?\n")
COUNT_DIGITS = 12


def read_header(stream: IO[bytes], source: Source) -> tuple[int, int]:
    """Number of rows and of columns."""
    line = first_line(stream, source)
    match = HEADER.fullmatch(line)
    if match is None or not 1 <= int(match[2]) <= MOST_DIMENSIONS:
        raise InputError(
            f"{source.path}:1: the first line should be 'rows dim' with dim from 1 to {MOST_DIMENSIONS} but reads "
            f"{line[:60]!r}; "
            "a file without such a line may be GloVe text: then say format='glove' (--from glove in the shell)."
        )
    return int(match[1]), int(match[2])


def header_then(head: bytes, *, text: bool) -> bool:
    """Whether the bytes are a header followed by a row of text, or else by a row of raw floats."""
    head = head.removeprefix(UTF8_BOM)
    match = HEADER.match(head)
    if match is None:
        return False
    return _row_is_text(head[match.end() :]) == text


def _row_is_text(row: bytes) -> bool:
    _, blank, numbers = row.partition(b" ")
    field = numbers[:64].split(maxsplit=1)[:1]
    # A table without rows has nothing to decide by; text is the plainer guess.
    return not blank or (bool(field) and is_number(field[0]))


class CountedHeader:
    """A header whose count may be filled in at the end."""

    def __init__(self, file: IO[bytes], staging: AtomicFiles, dim: int, count: int | None) -> None:
        if count is None and staging.compressed:
            raise InputError(
                f"{staging.path}: the header of a compressed word2vec file cannot be completed afterwards; "
                "write it uncompressed and compress it afterwards, or give count= in Python."
            )
        self._file = file
        self._known = count is not None
        file.write(f"{count} {dim}\n".encode() if count is not None else f"{0:0{COUNT_DIGITS}d} {dim}\n".encode())

    def complete(self, count: int) -> None:
        """Write the count over the zeros if it was not known at the start."""
        if not self._known:
            self._file.seek(0)
            self._file.write(f"{count:0{COUNT_DIGITS}d}".encode())
