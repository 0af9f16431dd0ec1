"""Files of lines: plain text (a text per line), JSON lines and CSV, packed or not."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import Any

from everyword.corpus.columns.files import UnpackedFile, kind_of
from everyword.corpus.columns.records import (
    LONGEST_ROW,
    STEP,
    Record,
    Survey,
    Wanted,
    are_whole_numbers,
    check_columns,
    checked,
)
from everyword.errors import InputError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST_CELL = 1 << 25
"""Characters of a cell of CSV, each of which takes four bytes while it is read."""
FIRST_OBJECTS = 100
"""In so many objects a field is looked for; later ones may lack it."""
Values = tuple[Any, ...]
"""The value of the column and those of the columns to keep."""


class LineColumn:
    """A column of a file of lines."""

    def __init__(self, location: str, wanted: Wanted) -> None:
        self.location, self.wanted = location, wanted
        self.kind = kind_of(location)
        if self.kind == "text" and wanted.keep:
            raise InputError(f"{location} is plain text without columns; --keep is for files that have them.")
        self._file = UnpackedFile(location)

    def survey(self, step: int = STEP) -> Survey:
        """Read all rows; raise InputError for the first that cannot be used."""
        self._file.seek(0)
        columns = self._header() if self.kind in ("csv", "tsv") else ()
        if self.kind == "json":
            self._check_fields()
        marks, rows = [self._file.position], 0
        whole = [self.kind == "json"] * len(self.wanted.keep)
        for text, *kept in self._values(0, columns):
            checked(text, self.location, rows, self.wanted)
            if kept:
                whole = [so_far and now for so_far, now in zip(whole, are_whole_numbers(kept), strict=True)]
            rows += 1
            if rows % step == 0:
                marks.append(self._file.position)
        return Survey(rows, tuple(marks), step, columns, tuple(whole))

    def read(self, first: int, rows: int, survey: Survey) -> Iterator[Record]:
        """Read some rows, from the nearest place before them that is known."""
        mark = first // survey.step
        if not survey.marks or (self.kind in ("csv", "tsv") and not survey.columns):
            raise InputError(f"{self.location} was another kind of file when it was first read; start again.")
        self._file.seek(survey.marks[mark])
        row = mark * survey.step
        for text, *kept in self._values(row, survey.columns):
            if row >= first + rows:
                return
            if row >= first:
                yield Record(row, checked(text, self.location, row, self.wanted), tuple(kept))
                if row == first + rows - 1:  # without a look at the next one, which another worker reads
                    return
            row += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _values(self, row: int, columns: tuple[str, ...]) -> Iterator[Values]:
        if self.kind == "text":
            return ((line.rstrip("\r\n"),) for line in self._lines())
        if self.kind == "json":
            return self._json_values(row)
        return self._csv_values(row, columns)

    def _lines(self) -> Iterator[str]:
        """Yield lines from where the file stands."""
        begin = self._file.position == 0
        while raw := self._file.readline(LONGEST_ROW):
            if len(raw) == LONGEST_ROW and not raw.endswith(b"\n"):
                raise InputError(f"{self.location} has a line of more than {LONGEST_ROW:,} bytes; break it into lines.")
            if begin:
                raw, begin = raw.removeprefix(BYTE_ORDER_MARK), False
            try:
                yield raw.decode("utf-8")
            except UnicodeDecodeError:
                place = self._file.position - len(raw)
                raise InputError(
                    f"{self.location}: the line at byte {place:,} is not UTF-8 text; convert the file to UTF-8."
                ) from None

    def _json_values(self, row: int) -> Iterator[Values]:
        column, keep = self.wanted.column, self.wanted.keep
        for line in self._lines():
            if line.isspace():
                continue
            found = self._object(line, row)
            yield (found.get(column), *map(found.get, keep)) if keep else (found.get(column),)
            row += 1

    def _object(self, line: str, row: int) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise InputError(
                f"{self.location}: row {row:,} (the first is 0) should be a JSON object on a line of its own. Got "
                f"{line.strip()[:40]!r} instead; fix the file."
            )
        return found

    def _check_fields(self) -> None:
        seen: dict[str, None] = {}
        row = 0
        for line in self._lines():
            if not line.isspace():
                seen |= dict.fromkeys(self._object(line, row))
                row += 1
                if row == FIRST_OBJECTS:
                    break
        if row:
            check_columns(seen, self.location, self.wanted)
        self._file.seek(0)

    def _header(self) -> tuple[str, ...]:
        columns = tuple(next(self._rows(), ()))
        if columns:
            check_columns(columns, self.location, self.wanted)
        return columns

    def _csv_values(self, row: int, columns: tuple[str, ...]) -> Iterator[Values]:
        if not columns:
            return
        check_columns(columns, self.location, self.wanted)
        places = [columns.index(name) for name in (self.wanted.column, *self.wanted.keep)]
        for number, cells in enumerate(filter(None, self._rows()), row):
            if len(cells) > len(columns):
                raise InputError(
                    f"{self.location}: row {number:,} (the first is 0) has {len(cells)} cells for {len(columns)} "
                    "columns; put quotes around cells that hold the separator."
                )
            yield tuple(cells[place] if place < len(cells) else None for place in places)

    def _rows(self) -> Iterator[list[str]]:
        # The limit holds for the whole process; raising it harms nobody.
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
        lines = self._lines()
        try:
            yield from csv.reader(lines, delimiter="\t" if self.kind == "tsv" else ",")
        except csv.Error as error:
            raise InputError(
                f"{self.location}: the text before byte {self._file.position:,} is not {self.kind.upper()} ({error}); "
                "check its quotes."
            ) from None
