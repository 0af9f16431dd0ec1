"""GloVe text: one word and its numbers per line, no header.

Words may hold blanks, as some in glove.840B do: the last `dim` fields are the vector. So that a row with one number
too many is still noticed, no word may end in a blank and a number.
"""

from __future__ import annotations

from itertools import chain

from everyword.arrays import MOST_DIMENSIONS, FloatArray
from everyword.atomic import AtomicFiles
from everyword.errors import InputError
from everyword.vectors.formats.base import BLANKS_BUT_SPACE, Format, Rows, encode_words, refuse_leading_mark
from everyword.vectors.formats.row_filter import RowFilter
from everyword.vectors.formats.text_rows import UTF8_BOM, LineReader, first_line, is_number, lines_of, row_lines
from everyword.vectors.formats.word2vec_text import HEADER
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

NAME = "glove"


def recognises(head: bytes) -> bool:
    """Return whether the first line is a word and numbers, and not a word2vec header."""
    text = head.removeprefix(UTF8_BOM)
    line, line_break, _ = text.partition(b"\n")
    if not line_break and len(text) > 1000:
        # The line is longer than what we look at; its last field may be cut.
        line = line.rpartition(b" ")[0]
    return HEADER.match(text) is None and b"\0" not in line and numbers_at_the_end(line) > 0


def numbers_at_the_end(line: bytes) -> int:
    """Count the numbers at the end of a line, without its first field, which is the word.

    >>> numbers_at_the_end(b". . . 0.1 0.2")
    2
    """
    count = 0
    for field in reversed(line.partition(b" ")[2].split()):
        if not is_number(field):
            break
        count += 1
    return count


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Open the rows; the first line determines the dimension."""
    stream = source.open()
    line = first_line(stream, source)
    dim = numbers_at_the_end(line)
    if not 1 <= dim <= MOST_DIMENSIONS:
        raise InputError(
            f"{source.path}:1: the first line should be a word and its numbers but reads {line[:60]!r}; "
            "check that this is GloVe text."
        )
    reader = LineReader(RowFilter(source, problems, dim), spaces_in_words=True)
    return Rows(dim, None, reader.blocks(chain([line], lines_of(stream, source, 2)), 1, block_rows))


class GloveSink:
    """Writes the lines."""

    def __init__(self, staging: AtomicFiles, dim: int, count: int | None) -> None:
        self._file = staging.open()
        self._empty = True

    def put(self, words: list[str], rows: FloatArray) -> None:
        encoded = encode_words(words, BLANKS_BUT_SPACE, NAME, "remove the word")
        for word, raw in zip(words, encoded, strict=True):
            _refuse_number_at_the_end(word, raw)
        if self._empty and words:
            refuse_leading_mark(words[0], NAME)
            self._empty = False
        self._file.write(row_lines(encoded, rows))

    def finish(self, count: int) -> None:
        """Refuse an empty file, which could not be read again."""
        if self._empty:
            raise InputError("A GloVe file has no header and needs at least one row; save an empty table as .vec.")


def _refuse_number_at_the_end(word: str, raw: bytes) -> None:
    if " " in word and (word.endswith(" ") or is_number(raw.rpartition(b" ")[2])):
        raise InputError(
            f"The word {word!r} ends in a blank or in a blank and a number, so its end could not be told from its "
            "vector in GloVe text; remove the word, or save as .npy."
        )


FORMAT = Format(
    name=NAME,
    description="GloVe text: a word and its numbers per line, no header; words may hold blanks",
    suffixes=(".glove", ".glove.txt"),
    recognises=recognises,
    read=read,
    open_sink=GloveSink,
)
