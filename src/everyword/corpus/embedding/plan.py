"""The plan of an embedding, which is its manifest: inputs, model, options, and which rows go to which part.

Nothing in it depends on the number of workers, so that neither does a byte of the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from everyword import config
from everyword.atomic import write_atomic
from everyword.corpus.columns.files import FileIdentity
from everyword.corpus.columns.records import Survey, Wanted
from everyword.errors import ConfigError, InputError
from everyword.files import fingerprint, read_object

MANIFEST = "_manifest.json"
"""Programs that read a folder of Parquet files skip names that begin so."""
FORMAT = "everyword-embedding.v1"
FORMATS = ("parquet", "npy", "safetensors")
OWN_COLUMNS = ("file", "row", "vector")
ROWS_PER_PART = 1 << 16
MOST_BYTES = 1 << 30
MOST_PARTS = 1_000_000


@dataclass(frozen=True)
class Options:
    """What the vectors depend on, besides texts and model."""

    column: str = "text"
    keep: tuple[str, ...] = ()
    format: Literal["parquet", "npy", "safetensors"] = "parquet"
    normalize: bool = False
    batch_size: config.Count = 2048
    rows_per_part: config.Count = ROWS_PER_PART

    def problems(self) -> Iterator[str]:
        """Yield a message for values that do not go together."""
        if self.keep and self.format != "parquet":
            yield f"only the format parquet keeps columns. Got {self.format}"
        for name in (name for name in self.keep if name in OWN_COLUMNS or self.keep.count(name) > 1):
            yield f"a column {name!r} cannot be kept, because the result has one of that name"


@dataclass(frozen=True)
class UsedModel:
    """A model, by its name and by what tells it from others."""

    name: str
    fingerprint: str
    dim: int


@dataclass(frozen=True)
class Input:
    """A file of texts."""

    location: str
    identity: FileIdentity
    survey: Survey


@dataclass(frozen=True)
class Piece:
    """Consecutive rows of an input."""

    input: int
    first: int
    rows: int


@dataclass(frozen=True)
class Part:
    """The rows whose vectors go to one file."""

    file: str
    rows: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Plan:
    """What is embedded, how and into which files."""

    model: UsedModel
    options: Options
    inputs: tuple[Input, ...]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Cut the rows of all inputs, one after the other, into parts of equal size; the last may be shorter."""
        cut: list[list[Piece]] = []
        free = 0
        for number, each in enumerate(self.inputs):
            first, left = 0, each.survey.rows
            while left:
                if not free:
                    cut.append([])
                    free = self.options.rows_per_part
                rows = min(left, free)
                cut[-1].append(Piece(number, first, rows))
                first, left, free = first + rows, left - rows, free - rows
        return tuple(
            Part(_name(number, len(cut), self.options.format), sum(piece.rows for piece in pieces), tuple(pieces))
            for number, pieces in enumerate(cut)
        )

    @property
    def rows(self) -> int:
        """Return how many texts there are."""
        return sum(each.survey.rows for each in self.inputs)

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash of the whole plan."""
        return fingerprint(self._described())

    def save(self, folder: Path) -> None:
        """Write the manifest."""
        write_atomic(folder / MANIFEST, json.dumps(self._described(), indent=1, ensure_ascii=False) + "\n")

    def _described(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "model": asdict(self.model),
            "options": asdict(self.options),
            "rows": self.rows,
            "inputs": [asdict(each) for each in self.inputs],
            "parts": [asdict(part) for part in self.parts],
        }

    @classmethod
    def load(cls, folder: Path) -> Plan:
        """Read a manifest; raise InputError if it cannot have been written by `save`."""
        path = folder / MANIFEST
        try:
            found = read_object(path, MOST_BYTES)
            if found.get("format") != FORMAT:
                raise ValueError(f"its format is {found.get('format')!r:.40}")
            if found["rows"] > MOST_PARTS * found["options"]["rows_per_part"]:
                raise ValueError("it has too many parts")
            plan = cls(
                config.build(UsedModel, found["model"], "the model"),
                config.build(Options, found["options"], "the options"),
                tuple(config.build(Input, each, "an input") for each in found["inputs"]),
            )
            if plan.rows != found["rows"]:
                raise ValueError("its rows do not add up")
        except (OSError, ValueError, KeyError, TypeError, ConfigError) as error:
            raise InputError(
                f"{path} is not a manifest of 'everyword embed' ({error!s:.80}); remove it, or start again with "
                "--overwrite."
            ) from None
        return plan

    def wanted(self, *, missing_is_empty: bool) -> Wanted:
        """Return what is read from each row."""
        return Wanted(self.options.column, self.options.keep, missing_is_empty)


def changes(old: Options, new: Options) -> str:
    """Say which options differ.

    >>> changes(Options(), Options(column="body", keep=("id",)))
    'column text, now body; keep nothing, now id'
    """
    pairs = zip(asdict(old).items(), asdict(new).values(), strict=True)
    return "; ".join(f"{name} {_said(before)}, now {_said(now)}" for (name, before), now in pairs if before != now)


def _said(value: object) -> str:
    return (", ".join(value) or "nothing") if isinstance(value, tuple) else str(value)


def _name(number: int, of: int, suffix: str) -> str:
    return f"part-{number:05}-of-{of:05}.{suffix}"
