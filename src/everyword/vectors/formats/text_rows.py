"""Lines of text that read "word number number ...", shared by the word2vec and GloVe formats."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.vectors.formats.base import Block
from everyword.vectors.formats.row_filter import BlockBuilder, RowFilter
from everyword.vectors.input_file import InputFile

UTF8_BOM = b"\xef\xbb\xbf"
LONGEST_LINE = 1 << 24
"""Bytes; a file without line ends must not fill the memory."""
BYTES_PER_BLOCK = 1 << 25
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
NUMBER = re.compile(rb"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|nan(\(\w*\))?|inf(inity)?)", re.IGNORECASE)


def is_number(field: bytes) -> bool:
    """Return whether a field is a number, NaN or infinity."""
    return NUMBER.fullmatch(field) is not None


def first_line(stream: IO[bytes], source: InputFile) -> bytes:
    """Read the first line without a UTF-8 byte order mark; UTF-16 is refused."""
    line = stream.readline(LONGEST_LINE)
    _check_length(line, source, 1)
    if line.startswith(UTF16_BOMS):
        raise InputError(f"{source.path}:1: the file is UTF-16 text; convert it to UTF-8 first.")
    return line.removeprefix(UTF8_BOM)


def lines_of(stream: IO[bytes], source: InputFile, first_number: int) -> Iterator[bytes]:
    """Yield the remaining lines, refusing overlong ones; the next has the number `first_number`."""
    number = first_number
    while line := stream.readline(LONGEST_LINE):
        _check_length(line, source, number)
        yield line
        number += 1


def _check_length(line: bytes, source: InputFile, number: int) -> None:
    if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
        raise InputError(
            f"{source.path}:{number}: this line is longer than {LONGEST_LINE:,} bytes; is this a text file of vectors?"
        )


def parse_numbers(text: bytes) -> FloatArray | None:
    """Parse all numbers of a text; None if anything in it is not a number.

    NumPy reads a blank text as -1, and older versions only warn about trailing rubbish; the caller turns that
    warning into an error.
    """
    stripped = text.strip()
    if not stripped:
        return np.empty(0, dtype=np.float32)
    try:
        return np.fromstring(stripped, dtype=np.float32, sep=" ")
    except (ValueError, DeprecationWarning):
        return None


class LineReader:
    """Turns lines into blocks of words and rows."""

    def __init__(self, row_filter: RowFilter, *, spaces_in_words: bool) -> None:
        self._filter = row_filter
        self._spaces_in_words = spaces_in_words
        self.lines_read = 0

    def blocks(self, lines: Iterable[bytes], first_number: int, block_rows: int) -> Iterator[Block]:
        """Yield blocks of valid rows; the first line has the number `first_number`."""
        pending = iter(lines)
        while chunk := _some(pending, block_rows):
            block = self._block(chunk, first_number + self.lines_read)
            self.lines_read += len(chunk)
            if block[0]:
                yield block

    def _block(self, lines: list[bytes], first_number: int) -> Block:
        builder = BlockBuilder(len(lines), self._filter.dim)
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            for number, line in enumerate(lines, first_number):
                self._add(line, number, builder)
        return builder.block()

    def _add(self, line: bytes, number: int, builder: BlockBuilder) -> None:
        raw_word, row = self._split(line.rstrip())
        dim = self._filter.dim
        if row is None:
            message = f"the row of {_shown(raw_word)} holds something that is not a number"
            self._filter.reject("row with a non-number", number, message)
        elif len(row) != dim:
            message = f"the row of {_shown(raw_word)} has {len(row)} numbers where {dim} were expected"
            self._filter.reject("ragged row", number, message)
        else:
            word = self._filter.word(raw_word, number)
            if word is not None and self._filter.accepts(word, row, number):
                builder.add(word, row)

    def _split(self, line: bytes) -> tuple[bytes, FloatArray | None]:
        word, _, rest = line.partition(b" ")
        row = parse_numbers(rest)
        if row is None and self._spaces_in_words:
            return self._split_from_the_right(line)
        return word, row

    def _split_from_the_right(self, line: bytes) -> tuple[bytes, FloatArray | None]:
        fields = line.rsplit(b" ", self._filter.dim)
        last_piece = fields[0].rpartition(b" ")[2]
        if len(fields) == self._filter.dim + 1 and is_number(last_piece) and b" " in fields[0]:
            # One number too many is a ragged row, not a word that happens to end in a number.
            return fields[0], np.empty(self._filter.dim + 1, dtype=np.float32)
        return fields[0], parse_numbers(b" ".join(fields[1:]))


def _some(lines: Iterator[bytes], most: int) -> list[bytes]:
    """Return the next lines, at most `most`, fewer if they are very long."""
    some, size = [], 0
    for line in lines:
        some.append(line)
        size += len(line)
        if len(some) == most or size > BYTES_PER_BLOCK:
            break
    return some


def _shown(raw_word: bytes) -> str:
    return repr(raw_word[:40].decode("utf-8", "replace"))


def row_lines(words: list[bytes], rows: FloatArray) -> bytes:
    """Format rows with the shortest digits that read back as the same float32."""
    pieces = [word + b" " + " ".join(map(str, row)).encode("ascii") for word, row in zip(words, rows, strict=True)]
    return b"\n".join([*pieces, b""])
