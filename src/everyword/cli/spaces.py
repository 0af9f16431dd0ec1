"""everyword merge and postprocess: several vector files into one, and changes of the space of one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_vector_file
from everyword.cli.common.group import Command
from everyword.cli.common.output import aligned, save_table, say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.space.alpha import AlphaRecord
    from everyword.space.merge_record import MergeRecord
    from everyword.space.pipeline import Pipeline
    from everyword.vectors.table import VectorTable

ABSENT = Path("-")
"""Stands for a table that has none of the words, where a record is applied."""

space_options = options.together(
    options.output_file("Vector file to write; the suffix sets the format."),
    options.format,
    options.folder("--record", "Apply a saved record instead of fitting one."),
    options.folder("--save-record", "Where to save what was fitted.  [default: OUTPUT.record]", to="record_folder"),
    options.count("--limit", "Only the first N rows of each file."),
    options.overwrite,
)


def choose_record_folder(
    output: Path, given: Path | None, record: Path | None, overwrite: bool, fitting: Mapping[str, object]
) -> Path:
    """Return where to save what is fitted; refuse options of fitting where a record is applied."""
    superfluous = [name for name, value in fitting.items() if value is not None]
    if record is not None and superfluous:
        raise click.UsageError(f"With --record nothing is fitted; leave out {', '.join(superfluous)}.")
    folder = given or output.with_name(output.name + ".record")
    if record is None:
        check_folder(folder, overwrite)
    return folder


def save_record(fitted: Pipeline | MergeRecord | AlphaRecord, folder: Path) -> None:
    """Save what was fitted, and say so."""
    fitted.save(folder)
    say(f"Saved the record to {folder}.")


@click.command(cls=Command, old_options={"--to": "--format"})
@click.argument("sources", type=options.PATH, nargs=-1, required=True, metavar="VECTORS VECTORS...")
@options.text("--method", "NAME[:VALUE]", "One of concatenate, average, svd:DIMS, geometric.  [default: concatenate]")
@options.text("--weights", "W,W", "A weight per file.  [default: all 1]")
@options.choice("--vocabulary", ["union", "intersection"], "Words of any file, or only those in all.  [default: union]")
@options.choice(
    "--missing",
    ["ridge", "zero"],
    "Predict a vector that a file lacks from the others, or use zeros.  [default: ridge]",
)
@options.text("--prepare", "STEP,STEP", "Steps applied to each file first, or none.  [default: centre,unit-rows]")
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
    format_name: str | None,
    record: Path | None,
    record_folder: Path | None,
    limit: int | None,
    overwrite: bool,
) -> None:
    """Merge vector files into one.

    Files may differ in dimension and words. The method concatenate puts all numbers side by side, average adds them,
    svd:DIMS keeps the strongest directions of the concatenation, and geometric first rotates all files into a common
    space. What was fitted is saved as a record. With --record, it merges other files of the same sources; write - for
    a file that has none of the words.

    \b
    Examples:
      everyword merge glove.vec other.vec --weights 1,0.7 --output both.vec
      everyword merge glove.vec other.vec --method svd:300 --vocabulary intersection --output both.npy
      everyword merge new-words.vec - --record both.vec.record --output new-both.vec
    """
    from everyword.space.merging import merge as fit_and_merge
    from everyword.space.record import load_merge

    fitting: dict[str, Any] = {
        "method": method,
        "weights": None if weights is None else options.parse_numbers(weights, "--weights", "1,0.7", float),
        "vocabulary": vocabulary,
        "missing": missing,
        "prepare": "" if prepare == "none" else prepare,
    }
    given = {**{f"--{name}": value for name, value in fitting.items()}, "--save-record": record_folder}
    check_vector_file(output, overwrite, format=format_name)
    folder = choose_record_folder(output, record_folder, record, overwrite, given)
    saved = load_merge(record) if record is not None else None
    tables = [_read(path, limit) for path in sources]
    if saved is not None:
        save_table(saved.merge(tables, report=say), output, format=format_name)
        return
    present = [table for table in tables if table is not None]
    if len(present) < len(tables):
        raise InputError("A file may be absent (-) only with --record; give all files to fit one.")
    chosen = {name: value for name, value in fitting.items() if value is not None}
    merged, fitted = fit_and_merge(present, names=[path.name for path in sources], report=say, **chosen)
    click.echo(aligned(_merge_summary(merged, fitted)))
    save_table(merged, output, format=format_name)
    save_record(fitted, folder)


def _read(path: Path, limit: int | None) -> VectorTable | None:
    from everyword.vectors.read import read_table

    if path == ABSENT:
        return None
    say(f"reading {path}")
    return read_table(path, limit=limit)


def _merge_summary(merged: VectorTable, fitted: MergeRecord) -> list[tuple[str, str]]:
    rows = [
        ("words", f"{len(merged):,}"),
        ("in all files", f"{fitted.shared:,}"),
        ("dimension", f"{merged.dim}"),
        *((fact, f"{value:.4g}") for fact, value in fitted.facts.items()),
    ]
    for source in fitted.sources:
        known = f"{source.words:,} words ({source.words / fitted.words:.1%}), weight {source.weight:g}"
        predicted = "" if source.predicted is None else f", {source.predicted:.1%} of it predicted by the others"
        rows.append((source.name, known + predicted))
    return rows


@click.command(cls=Command, old_options={"--to": "--format"})
@click.argument("source", type=options.PATH, metavar="VECTORS")
@options.text("--steps", "STEP,STEP:VALUE", "Steps in order, as in centre,all-but-the-top:3,pca:256.")
@options.count("--fit-on", "Fit to the first N words only.  [default: all]")
@space_options
def postprocess(
    *,
    source: Path,
    steps: str | None,
    fit_on: int | None,
    output: Path,
    format_name: str | None,
    record: Path | None,
    record_folder: Path | None,
    limit: int | None,
    overwrite: bool,
) -> None:
    """Centre, flatten or shrink a vector file.

    \b
    Steps:
      centre             subtract the mean
      unit-rows          scale every vector to length 1
      all-but-the-top:D  remove the mean and the D strongest directions
      spectrum:ALPHA     scale directions by a power of their variance (-0.5 whitens, 0 changes no cosine)
      whiten:POWER       even out directions without blowing up weak ones
      pca:DIMS           keep the strongest directions
      components:N       keep the Nth strongest direction and all weaker ones, or components:first=N:last=M
      features:column    tuples of feature probabilities (column, row or none)

    What was fitted is saved as a record, which --record applies to other vectors of the same space.

    \b
    Examples:
      everyword postprocess glove.vec --steps all-but-the-top:3 --output better.vec
      everyword postprocess glove.vec --steps "centre,unit-rows,pca:100" --fit-on 100000 --output small.npy
      everyword postprocess later-words.vec --record small.npy.record --output later-small.vec
    """
    from everyword.space.pipeline import postprocess as fit_and_apply
    from everyword.space.record import load_pipeline
    from everyword.vectors.read import read_table

    check_vector_file(output, overwrite, format=format_name)
    given = {"--steps": steps, "--fit-on": fit_on, "--save-record": record_folder}
    folder = choose_record_folder(output, record_folder, record, overwrite, given)
    if not steps and record is None:
        raise click.UsageError("Give --steps to fit, or a saved record to apply by --record.")
    saved = load_pipeline(record) if record is not None else None
    table = read_table(source, limit=limit)
    if saved is not None:
        save_table(saved.apply_table(table), output, format=format_name)
        return
    changed, fitted = fit_and_apply(table, str(steps), fit_on=fit_on, report=say)
    click.echo(aligned(_postprocess_summary(table, changed, fitted)))
    save_table(changed, output, format=format_name)
    save_record(fitted, folder)


def _postprocess_summary(before: VectorTable, after: VectorTable, fitted: Pipeline) -> list[tuple[str, str]]:
    from everyword.space.change import neighbour_overlap

    overlap = neighbour_overlap(before.matrix, after.matrix)
    return [
        ("words", f"{len(after):,}"),
        ("dimension", f"{before.dim} → {after.dim}"),
        *((f"{step}: {fact}", f"{value:.4g}") for step, fact, value in fitted.facts),
        ("of 10 neighbours stay", "too few words to tell" if overlap is None else f"{10 * overlap:.1f}"),
    ]
