"""Open a file of any kind as a column of texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from everyword.corpus.columns.files import kind_of
from everyword.corpus.columns.lines import LineColumn
from everyword.corpus.columns.parquet import ParquetColumn
from everyword.corpus.columns.records import Column, Wanted


def open_column(location: str, wanted: Wanted) -> Column:
    """Open a file by its suffix.

    Args:
        location: A path, or an address that pyarrow can read.
        wanted: The column of the texts, and what else to read.

    Raises:
        InputError: If there is no such file, or it lacks a column.
    """
    return ParquetColumn(location, wanted) if kind_of(location) == "parquet" else LineColumn(location, wanted)


@contextmanager
def opened(location: str, wanted: Wanted) -> Iterator[Column]:
    """Open a file as a column and close it afterwards."""
    column = open_column(location, wanted)
    try:
        yield column
    finally:
        column.close()
