"""A column of a Parquet file, read by row groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from everyword.corpus.columns.files import is_address, open_plain
from everyword.corpus.columns.records import STEP, Record, Survey, Wanted, check_columns, checked
from everyword.errors import InputError
from everyword.extras import require

ROWS_AT_ONCE = 4096


class ParquetColumn:
    """A column of texts, and columns to keep."""

    def __init__(self, location: str, wanted: Wanted) -> None:
        self.location, self.wanted = location, wanted
        self._arrow = require("pyarrow", "Reading a Parquet file")
        parquet = require("pyarrow.parquet", "Reading a Parquet file")
        # Only addresses are opened here: pyarrow maps a file of this machine by itself.
        source = open_plain(location)
        if not is_address(location):
            source.close()
        try:
            self._file = parquet.ParquetFile(source if is_address(location) else location, pre_buffer=False)
        except (self._arrow.ArrowException, OSError) as error:
            raise self._damaged(error) from error
        try:
            check_columns(self._file.schema_arrow.names, location, wanted)
            self._check_type()
        except InputError:
            self.close()
            raise

    def survey(self, step: int = STEP) -> Survey:
        """Read all rows; raise InputError for the first that cannot be used."""
        rows = 0
        for batch in self._batches(range(self._file.num_row_groups), [self.wanted.column]):
            if batch.num_rows and batch.column(0).null_count and not self.wanted.missing_is_empty:
                missing = batch.column(0).is_null().to_pylist().index(True)
                checked(None, self.location, rows + missing, self.wanted)
            try:
                batch.validate(full=True)
            except self._arrow.ArrowException:
                raise InputError(
                    f"{self.location}: the texts from row {rows:,} on (the first is 0) are not UTF-8; write them again."
                ) from None
            rows += batch.num_rows
        return Survey(rows, (), step, (), tuple(map(self._is_whole_number, self.wanted.keep)))

    def read(self, first: int, rows: int, survey: Survey) -> Iterator[Record]:
        """Read some rows."""
        groups, row = self._groups(first, rows)
        end = first + rows
        for batch in self._batches(groups, [self.wanted.column, *self.wanted.keep]):
            begin, stop = max(first - row, 0), min(end - row, batch.num_rows)
            if begin < stop:
                part = batch.slice(begin, stop - begin)
                columns = [part.column(name).to_pylist() for name in (self.wanted.column, *self.wanted.keep)]
                for number, (text, *kept) in enumerate(zip(*columns, strict=True), row + begin):
                    yield Record(number, checked(text, self.location, number, self.wanted), tuple(kept))
            row += batch.num_rows
            if row >= end:
                return

    def close(self) -> None:
        """Close the file."""
        self._file.close(force=True)

    def _groups(self, first: int, rows: int) -> tuple[range, int]:
        """Return the row groups that hold some rows, and the number of their first row."""
        begin, start = 0, 0
        groups: list[int] = []
        for group in range(self._file.num_row_groups):
            size = self._file.metadata.row_group(group).num_rows
            if begin < first + rows and begin + size > first:
                start = start if groups else begin
                groups.append(group)
            begin += size
        return (range(groups[0], groups[-1] + 1) if groups else range(0)), start

    def _batches(self, groups: range, columns: list[str]) -> Iterator[Any]:
        try:
            yield from self._file.iter_batches(ROWS_AT_ONCE, row_groups=list(groups), columns=columns)
        except (self._arrow.ArrowException, OSError) as error:
            raise self._damaged(error) from error

    def _check_type(self) -> None:
        types, found = self._arrow.types, self._file.schema_arrow.field(self.wanted.column).type
        value = found.value_type if types.is_dictionary(found) else found
        if not (types.is_string(value) or types.is_large_string(value) or types.is_null(value)):
            raise InputError(
                f"{self.location}: the column {self.wanted.column!r} should hold texts. Got {found} instead; name "
                "another column by --column."
            )

    def _is_whole_number(self, name: str) -> bool:
        types, found = self._arrow.types, self._file.schema_arrow.field(name).type
        return bool(types.is_integer(found)) and not types.is_uint64(found)

    def _damaged(self, error: Exception) -> InputError:
        said = str(error).splitlines()[0].rstrip(".")
        return InputError(f"{self.location}: the Parquet file is damaged or cut off ({said}); fetch it again.")
