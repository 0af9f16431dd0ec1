"""What the commands that change spaces share: their options and how they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.registry import vector_formats

if TYPE_CHECKING:
    from everyword.space.merge_record import MergeRecord
    from everyword.space.pipeline import Pipeline
    from everyword.vectors.table import VectorTable

a_path = click.Path(path_type=Path)
RECORD_SUFFIX = ".record"


def space_options(command: Callable[..., None]) -> Callable[..., None]:
    """Where to write, in which format, and the record to write or to apply."""
    for option in (
        click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N rows of each table."),
        click.option(
            "--save-record",
            "save_to",
            type=a_path,
            metavar="FOLDER",
            help="Where to keep what was fitted.  [default: the output's name and .record]",
        ),
        click.option("--record", type=a_path, metavar="FOLDER", help="Apply a kept record instead of fitting one."),
        click.option(
            "--to",
            "target_format",
            type=click.Choice([*vector_formats]),
            help="Write this format.  [default: by suffix]",
        ),
        click.option("--output", type=a_path, required=True, help="The new vector file."),
    ):
        command = option(command)
    return command


def refuse_both(record: Path | None, fitting: dict[str, object]) -> None:
    """A kept record says everything itself."""
    given = [name for name, value in fitting.items() if value is not None]
    if record is not None and given:
        raise click.UsageError(f"With --record nothing is fitted; leave out {', '.join(given)}.")


def say(sentence: str) -> None:
    """Progress, for people."""
    click.echo(sentence, err=True)


def finish(
    table: VectorTable,
    output: Path,
    target_format: str | None,
    record: Pipeline | MergeRecord | None = None,
    save_to: Path | None = None,
) -> None:
    """Write the table and, if one was fitted, the record."""
    table.save(output, format=target_format)
    say(f"wrote {len(table):,} vectors of dimension {table.dim} to {output}")
    if record is not None:
        folder = save_to or output.with_name(output.name + RECORD_SUFFIX)
        record.save(folder)
        say(f"wrote the record to {folder}")
