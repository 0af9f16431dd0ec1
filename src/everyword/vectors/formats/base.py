"""What a vector file format is: how to recognise it, read it in blocks and write it in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from everyword.arrays import FloatArray
from everyword.atomic import AtomicFiles
from everyword.vectors.containers import Source
from everyword.vectors.problems import Problems

Block = tuple[list[str], FloatArray]


@dataclass
class Rows:
    """A table on its way in: the width is known, the rows come in blocks.

    `count` is what the header promised, if there is one. `mapped` is the whole matrix where the file can be mapped
    into memory; the blocks are then views of it.
    """

    dim: int
    count: int | None
    blocks: Iterator[Block]
    mapped: FloatArray | None = None

    def __iter__(self) -> Iterator[Block]:
        return self.blocks


class Sink(Protocol):
    """A table on its way out."""

    def put(self, words: list[str], rows: FloatArray) -> None:
        """Append rows."""

    def finish(self, count: int) -> None:
        """Complete the headers, now that the number of rows is certain."""


ReadRows = Callable[[Source, Problems, int], Rows]
OpenSink = Callable[[AtomicFiles, int, "int | None"], Sink]


@dataclass(frozen=True)
class Format:
    """One way to keep a table in a file.

    `read(source, problems, block_rows)` opens the rows; `open_sink(staging, dim, count)` opens a place to write to,
    and is None for formats that everyword only reads. `suffixes` choose the format when a table is saved.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: ReadRows
    open_sink: OpenSink | None = None
