"""word2vec text, which is also fastText's `.vec`: a header line, then one word and its numbers per line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from everyword.arrays import MOST_DIMENSIONS, FloatArray
from everyword.atomic import AtomicFiles
from everyword.errors import InputError
from everyword.vectors.formats.base import ASCII_BLANKS, Block, Format, Rows, encode_words
from everyword.vectors.formats.row_filter import RowFilter
from everyword.vectors.formats.text_rows import UTF8_BOM, LineReader, first_line, is_number, lines_of, row_lines
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

NAME = "word2vec"


def recognises(head: bytes) -> bool:
    """A header, then text."""
    return header_then(head, text=True)


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Open the rows."""
    stream = source.open()
    count, dim = read_header(stream, source)
    return Rows(dim, count, _blocks(lines_of(stream, source, 2), RowFilter(source, problems, dim), count, block_rows))


def _blocks(lines: Iterator[bytes], row_filter: RowFilter, count: int, block_rows: int) -> Iterator[Block]:
    reader = LineReader(row_filter, spaces_in_words=False)
    yield from reader.blocks(lines, 2, block_rows)
    row_filter.check_count(count, reader.lines_read)


class TextSink:
    """Writes the header and the lines."""

    def __init__(self, staging: AtomicFiles, dim: int, count: int | None) -> None:
        self._file = staging.open()
        self._header = CountedHeader(self._file, staging, dim, count)

    def put(self, words: list[str], rows: FloatArray) -> None:
        encoded = encode_words(words, ASCII_BLANKS, NAME, "remove the word, or save as .npy")
        self._file.write(row_lines(encoded, rows))

    def finish(self, count: int) -> None:
        self._header.complete(count)


FORMAT = Format(
    name=NAME,
    description="word2vec text and fastText .vec: 'rows dim', then a word and its numbers per line",
    suffixes=(".vec", ".txt"),
    recognises=recognises,
    read=read,
    open_sink=TextSink,
)


HEADER = re.compile(rb"(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?\n")
COUNT_DIGITS = 12


def read_header(stream: IO[bytes], source: InputFile) -> tuple[int, int]:
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
