"""Rows of files: a text, perhaps missing, and other values to keep."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from everyword.config import Count, Natural
from everyword.errors import InputError, did_you_mean

LONGEST_ROW = 1 << 27
"""Bytes; a file without line ends must not fill the memory, and a text of megabytes is fine."""
STEP = 8192
"""After so many rows the place in a file is noted, from where it can be read on."""
SHOWN, MOST_SHOWN = 40, 20
"""Characters of a value, and names of columns, in an error."""
LARGEST = 1 << 63


class Record(NamedTuple):
    """A row of a file."""

    row: int
    """Its number in the file, from 0."""
    text: str | None
    kept: tuple[Any, ...]


@dataclass(frozen=True)
class Survey:
    """What a first look at all rows of a file found."""

    rows: Natural
    marks: tuple[Natural, ...] = ()
    """The places of the rows 0, `step`, 2 × `step` and so on, in unpacked bytes; none for Parquet."""
    step: Count = STEP
    columns: tuple[str, ...] = ()
    """The columns of a CSV file."""
    whole_numbers: tuple[bool, ...] = ()
    """Whether all values of each kept column are whole numbers."""

    def problems(self) -> Iterator[str]:
        """Yield a message for values that do not go together, in a file that somebody has changed."""
        if self.marks and len(self.marks) != self.rows // self.step + 1:
            yield f"there should be a mark for every {self.step} rows. Got {len(self.marks)} marks for {self.rows} rows"


@dataclass(frozen=True)
class Wanted:
    """What to read from each row."""

    column: str = "text"
    keep: tuple[str, ...] = ()
    missing_is_empty: bool = False
    """Read a text that is missing as an empty one, instead of refusing it."""


class Column(Protocol):
    """The texts of a file."""

    def survey(self, step: int = STEP) -> Survey:
        """Read all rows; raise InputError for the first that cannot be used."""

    def read(self, first: int, rows: int, survey: Survey) -> Iterator[Record]:
        """Read some rows."""

    def close(self) -> None:
        """Close the file."""


def checked(value: Any, location: str, row: int, wanted: Wanted) -> str:
    """Return a value of the column as text; raise InputError if it is missing or anything else."""
    if isinstance(value, str):
        # JSON can spell halves of characters, which no file of text can hold.
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if value is None or value != value:  # noqa: PLR0124  # NaN is the one that differs from itself
        if wanted.missing_is_empty:
            return ""
        raise InputError(
            f"{location}: row {row:,} (the first is 0) has no text in {wanted.column!r}, but {value}; fix this row, or "
            "take such texts as empty by --on-missing empty."
        )
    raise InputError(
        f"{location}: row {row:,} (the first is 0) should have a text in {wanted.column!r}. Got {_shown(value)} "
        "instead; name another column by --column."
    )


def check_columns(names: Iterable[str], location: str, wanted: Wanted) -> None:
    """Raise InputError if a column that is wanted is not there; the message names those that are."""
    every = set(names)
    # A file that is of another kind may have anything in its first line.
    listed = sorted(f"{' '.join(name.split()):.{SHOWN}}" for name in every)[:MOST_SHOWN]
    for column, option in [(wanted.column, "--column"), *((name, "--keep") for name in wanted.keep)]:
        if column not in every:
            hint = did_you_mean(column, listed) if listed else "it has none."
            near = "" if hint.startswith("choose") else f" Its columns: {', '.join(listed)}."
            raise InputError(f"{location} has no column {column!r} ({option}); {hint}{near}")


def kept_value(value: Any, whole_number: bool) -> Any:
    """Return a value to keep: a whole number, or as text, with JSON for what is neither."""
    if value is None or whole_number or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def are_whole_numbers(values: Sequence[Any]) -> list[bool]:
    """Return whether each value is a whole number of 64 bits, or missing."""
    return [
        value is None or (type(value) is int and -LARGEST <= value < LARGEST)  # True is not a number here
        for value in values
    ]


def _shown(value: Any) -> str:
    return f"{value!r:.{SHOWN}}" + ("…" if len(repr(value)) > SHOWN else "")
