"""word2vec text, which is also fastText's `.vec`: a header line, then one word and its numbers per line."""

from __future__ import annotations

from collections.abc import Iterator

from everyword.arrays import FloatArray
from everyword.atomic import AtomicFiles
from everyword.vectors.containers import Source
from everyword.vectors.formats.base import Block, Format, Rows
from everyword.vectors.formats.gate import Gate
from everyword.vectors.formats.text_rows import LineReader, lines_of, row_lines
from everyword.vectors.formats.word2vec_header import CountedHeader, header_then, read_header
from everyword.vectors.formats.words_out import ASCII_BLANKS, encode_words
from everyword.vectors.problems import Problems

NAME = "word2vec"


def recognises(head: bytes) -> bool:
    """A header, then text."""
    return header_then(head, text=True)


def read(source: Source, problems: Problems, block_rows: int) -> Rows:
    """Open the rows."""
    stream = source.open()
    count, dim = read_header(stream, source)
    return Rows(dim, count, _blocks(lines_of(stream, source, 2), Gate(source, problems, dim), count, block_rows))


def _blocks(lines: Iterator[bytes], gate: Gate, count: int, block_rows: int) -> Iterator[Block]:
    reader = LineReader(gate, spaces_in_words=False)
    yield from reader.blocks(lines, 2, block_rows)
    gate.check_count(count, reader.lines_read)


class TextSink:
    """Writes the header and the lines."""

    def __init__(self, staging: AtomicFiles, dim: int, count: int | None) -> None:
        self._file = staging.open()
        self._header = CountedHeader(self._file, staging, dim, count)

    def put(self, words: list[str], rows: FloatArray) -> None:
        """Append lines."""
        encoded = encode_words(words, ASCII_BLANKS, NAME, "remove the word, or save as .npy")
        self._file.write(row_lines(encoded, rows))

    def finish(self, count: int) -> None:
        """Complete the header."""
        self._header.complete(count)


FORMAT = Format(
    name=NAME,
    description="word2vec text and fastText .vec: 'rows dim', then a word and its numbers per line",
    suffixes=(".vec", ".txt"),
    recognises=recognises,
    read=read,
    open_sink=TextSink,
)
