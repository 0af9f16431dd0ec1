"""Texts in a column of a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from everyword.errors import InputError, did_you_mean
from everyword.extras import require

MAGIC = b"PAR1"
ROWS_AT_ONCE = 256


def is_parquet(path: Path) -> bool:
    """Whether a file begins as Parquet files do."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def row_groups(path: Path) -> int:
    """Into how many pieces a file is divided."""
    with _opened(path) as file:
        return int(file.num_row_groups)


def read_parquet(path: Path, field: str, first: int, last: int) -> Iterator[str]:
    """The texts of some row groups; what has no text is passed over."""
    with _opened(path) as file:
        if field not in file.schema_arrow.names:
            raise InputError(f"{path} has no column {field!r}; {did_you_mean(field, file.schema_arrow.names)}")
        pyarrow = require("pyarrow", "Reading a Parquet file")
        try:
            for batch in file.iter_batches(ROWS_AT_ONCE, row_groups=list(range(first, last)), columns=[field]):
                yield from _texts(batch.column(0).to_pylist(), path, field)
        except (pyarrow.ArrowException, OSError) as error:
            raise _damaged(path, error) from error


def _texts(found: list[Any], path: Path, field: str) -> Iterator[str]:
    for text in found:
        if isinstance(text, str):
            yield text
        elif text is not None:
            raise InputError(f"{path}: the column {field!r} should hold texts. Got {text!r}; name another by --field.")


def _opened(path: Path) -> Any:
    pyarrow = require("pyarrow", "Reading a Parquet file")
    parquet = require("pyarrow.parquet", "Reading a Parquet file")
    try:
        return parquet.ParquetFile(path, pre_buffer=False)
    except (pyarrow.ArrowException, OSError) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path}: the Parquet file is damaged or cut off ({error}); fetch it again.")
