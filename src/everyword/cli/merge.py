"""everyword merge: several tables into one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common.output import aligned
from everyword.cli.spaces import a_path, finish, refuse_both, say, space_options
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.space.merge_record import MergeRecord
    from everyword.vectors.table import VectorTable

ABSENT = Path("-")
"""Stands for a source that has none of the words, where a record is applied."""


@click.command()
@click.argument("sources", type=a_path, nargs=-1, required=True, metavar="VECTORS VECTORS...")
@click.option(
    "--method",
    metavar="NAME[:VALUE]",
    help="concatenate, average, svd:DIMS or geometric.  [default: concatenate]",
)
@click.option("--weights", metavar="W,W", help="One for each table.  [default: all 1]")
@click.option(
    "--vocabulary",
    type=click.Choice(["union", "intersection"]),
    help="Words of any table, or only those of all.  [default: union]",
)
@click.option(
    "--missing",
    type=click.Choice(["ridge", "zero"]),
    help="A vector that a table lacks is predicted from the others, or zero.  [default: ridge]",
)
@click.option("--prepare", metavar="STEP,STEP", help="For each table first, or none.  [default: centre,unit-rows]")
@space_options
def merge(
    *,
    sources: tuple[Path, ...],
    method: str | None,
    weights: str | None,
    vocabulary: str | None,
    missing: str | None,
    prepare: str | None,
    output: Path,
    target_format: str | None,
    record: Path | None,
    save_to: Path | None,
    limit: int | None,
) -> None:
    """Merge vector files into one.

    They may differ in dimension and words. concatenate puts all numbers side by side, average adds them up,
    svd:DIMS keeps the strongest directions of the concatenation, geometric turns all tables into one common space
    first. What was fitted is kept as a record; --record merges other tables of the same sources with it, with - for
    a table that has none of the words.

    \b
    Examples:
      everyword merge glove.vec other.vec --weights 1,0.7 --output both.vec
      everyword merge glove.vec other.vec --method svd:300 --vocabulary intersection --output both.npy
      everyword merge new-words.vec - --record both.vec.record --output new-both.vec
    """
    from everyword.space.merging import merge as fit_and_merge
    from everyword.space.record import load_merge
    from everyword.vectors.formats.guess import format_for_writing

    fitting: dict[str, Any] = {
        "method": method,
        "weights": None if weights is None else _numbers(weights),
        "vocabulary": vocabulary,
        "missing": missing,
        "prepare": "" if prepare == "none" else prepare,
    }
    refuse_both(record, {**{f"--{name}": value for name, value in fitting.items()}, "--save-record": save_to})
    format_for_writing(output, target_format)
    kept = load_merge(record) if record is not None else None
    tables = [_read(path, limit) for path in sources]
    if kept is not None:
        finish(kept.merge(tables, tell=say), output, target_format)
        return
    present = [table for table in tables if table is not None]
    if len(present) < len(tables):
        raise InputError("A table may be absent (-) only where a record is applied; give all of them to fit one.")
    chosen = {name: value for name, value in fitting.items() if value is not None}
    merged, fitted = fit_and_merge(present, names=[path.name for path in sources], tell=say, **chosen)
    click.echo(aligned(_summary(merged, fitted)))
    finish(merged, output, target_format, fitted, save_to)


def _read(path: Path, limit: int | None) -> VectorTable | None:
    from everyword.vectors.read import read_table

    if path == ABSENT:
        return None
    say(f"reading {path}")
    return read_table(path, limit=limit)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"Weights must be numbers with commas between them, as in 1,0.7. Got {text!r}.") from None


def _summary(merged: VectorTable, fitted: MergeRecord) -> list[tuple[str, str]]:
    rows = [
        ("words", f"{len(merged):,}"),
        ("in all tables", f"{fitted.shared:,}"),
        ("dimension", f"{merged.dim}"),
        *((fact, f"{value:.4g}") for fact, value in fitted.facts.items()),
    ]
    for source in fitted.sources:
        known = f"{source.words:,} words ({source.words / fitted.words:.1%}), weight {source.weight:g}"
        predicted = "" if source.predicted is None else f", {source.predicted:.1%} of it predicted by the others"
        rows.append((source.name, known + predicted))
    return rows
