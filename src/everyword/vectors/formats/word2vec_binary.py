"""word2vec binary: a header line, then for each word its bytes, one blank and little-endian floats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from everyword.arrays import FloatArray
from everyword.atomic import AtomicFiles
from everyword.errors import InputError
from everyword.vectors.formats.base import ASCII_BLANKS, Block, Format, Rows, encode_words
from everyword.vectors.formats.row_filter import BlockBuilder, RowFilter
from everyword.vectors.formats.word2vec_text import CountedHeader, header_then, read_header
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

NAME = "word2vec-binary"
CHUNK_BYTES = 1 << 20
LONGEST_WORD = 1 << 16


def recognises(head: bytes) -> bool:
    """A header, then raw floats after the first word."""
    return header_then(head, text=False)


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Open the rows."""
    stream = source.open()
    count, dim = read_header(stream, source)
    records = _Records(stream, source.path, dim)
    return Rows(dim, count, _blocks(records, RowFilter(source, problems, dim, "row"), count, block_rows))


def _blocks(records: _Records, row_filter: RowFilter, count: int, block_rows: int) -> Iterator[Block]:
    builder = BlockBuilder(block_rows, row_filter.dim)
    for number in range(1, count + 1):
        record = records.next()
        if record is None:
            _report_short_file(records, row_filter, count, number)
            break
        word = row_filter.word(record[0], number)
        if word is not None and row_filter.accepts(word, record[1], number):
            builder.add(word, record[1])
        if builder.full:
            yield builder.block()
            builder = BlockBuilder(block_rows, row_filter.dim)
    if builder.words:
        yield builder.block()
    if records.rest().strip(b"\r\n"):
        row_filter.remark(f"the header promises {count} rows but more bytes follow the last of them")


def _report_short_file(records: _Records, row_filter: RowFilter, count: int, number: int) -> None:
    if records.rest().strip(b"\r\n"):
        row_filter.reject("truncated row", number, "the file ends in the middle of a row")
        records.drop()
    row_filter.check_count(count, number - 1)


class _Records:
    """Cuts a stream of bytes into words and their floats."""

    def __init__(self, stream: IO[bytes], path: Path, dim: int) -> None:
        self._stream, self._path = stream, path
        self._row_bytes = 4 * dim
        self._buffer = b""
        self._position = 0

    def next(self) -> tuple[bytes, FloatArray] | None:
        """The next record, or None where no whole one is left."""
        while (blank := self._blank()) < 0 or blank + 1 + self._row_bytes > len(self._buffer):
            if not self._refill():
                return None
        end = blank + 1 + self._row_bytes
        # Some writers put a line break after each row; it belongs to no word.
        word = self._buffer[self._position : blank].lstrip(b"\n")
        row = np.frombuffer(self._buffer, dtype="<f4", count=self._row_bytes // 4, offset=blank + 1)
        self._position = end
        return word, row.astype(np.float32, copy=False)

    def _blank(self) -> int:
        """Where the next word ends; -1 if that is not in sight yet."""
        blank = self._buffer.find(b" ", self._position, self._position + LONGEST_WORD)
        if blank < 0 and len(self._buffer) - self._position > LONGEST_WORD:
            raise InputError(
                f"{self._path}: there is a word of more than {LONGEST_WORD:,} bytes; is this a word2vec binary file?"
            )
        return blank

    def rest(self) -> bytes:
        """What is left of the buffer, and a little more."""
        self._refill()
        return self._buffer

    def drop(self) -> None:
        """Forget what is left of the buffer."""
        self._buffer = b""
        self._position = 0

    def _refill(self) -> bool:
        chunk = self._stream.read(max(CHUNK_BYTES, self._row_bytes))
        self._buffer = self._buffer[self._position :] + chunk
        self._position = 0
        return bool(chunk)


class BinarySink:
    """Writes the header and the records."""

    def __init__(self, staging: AtomicFiles, dim: int, count: int | None) -> None:
        self._file = staging.open()
        self._header = CountedHeader(self._file, staging, dim, count)

    def put(self, words: list[str], rows: FloatArray) -> None:
        """Append records."""
        encoded = encode_words(words, ASCII_BLANKS, NAME, "remove the word, or save as .npy")
        vectors = rows.astype("<f4", copy=False)
        self._file.write(b"".join(word + b" " + row.tobytes() for word, row in zip(encoded, vectors, strict=True)))

    def finish(self, count: int) -> None:
        self._header.complete(count)


FORMAT = Format(
    name=NAME,
    description="word2vec binary: 'rows dim', then each word followed by raw little-endian floats",
    suffixes=(".bin",),
    recognises=recognises,
    read=read,
    open_sink=BinarySink,
)
