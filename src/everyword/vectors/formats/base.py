"""The interface of a vector file format: recognise, read in blocks, write in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from everyword.arrays import FloatArray
from everyword.atomic import AtomicFiles
from everyword.errors import InputError
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

Block = tuple[list[str], FloatArray]


@dataclass
class Rows:
    """A table that is being read: the width is known, the rows come in blocks.

    `count` is the number of rows in the header, if there is one. `mapped` is the whole matrix if the file can be mapped
    into memory; the blocks are then views of it. `stored_as` says how numbers are packed, if they are.
    """

    dim: int
    count: int | None
    blocks: Iterator[Block]
    mapped: FloatArray | None = None
    stored_as: str | None = None

    def __iter__(self) -> Iterator[Block]:
        return self.blocks


class Sink(Protocol):
    """A table that is being written."""

    def put(self, words: list[str], rows: FloatArray) -> None:
        """Append rows."""

    def finish(self, count: int) -> None:
        """Complete the headers, now that the number of rows is certain."""


ReadRows = Callable[[InputFile, Problems, int], Rows]
OpenSink = Callable[[AtomicFiles, int, "int | None"], Sink]


@dataclass(frozen=True)
class Format:
    """A file format for tables.

    `read(source, problems, block_rows)` opens the rows; `open_sink(files, dim, count)` opens a writer,
    and is None for formats that everyword only reads. `suffixes` choose the format when a table is saved.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: ReadRows
    open_sink: OpenSink | None = None


ASCII_BLANKS = " \t\n\v\f\r"
BLANKS_BUT_SPACE = ASCII_BLANKS[1:]
LINE_BREAKS = "\n\r"


def encode_words(words: list[str], forbidden: str, format_name: str, remedy: str) -> list[bytes]:
    """Encode words as UTF-8; raise InputError for a word that the format cannot hold."""
    return [_encode(word, forbidden, format_name, remedy) for word in words]


def refuse_leading_mark(word: str, format_name: str) -> None:
    """Refuse a first word that begins with U+FEFF: readers would take it for a byte order mark."""
    if word.startswith("\ufeff"):
        raise InputError(
            f"The word {word!r} begins with a byte order mark and cannot come first in the format {format_name!r}; "
            "remove the mark or put another word first."
        )


def _encode(word: str, forbidden: str, format_name: str, remedy: str) -> bytes:
    if not word:
        raise InputError("An empty word cannot be written; remove it from the table.")
    found = next((character for character in forbidden if character in word), None)
    if found is not None:
        raise InputError(f"The word {word!r} holds {found!r}, which the format {format_name!r} cannot store; {remedy}.")
    try:
        return word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"The word {word!r} holds half a surrogate pair and is not valid text; remove it.") from None
