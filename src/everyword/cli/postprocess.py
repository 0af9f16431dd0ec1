"""everyword postprocess: centre, flatten or shrink a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.output import aligned
from everyword.cli.spaces import a_path, finish, refuse_both, say, space_options

if TYPE_CHECKING:
    from everyword.space.pipeline import Pipeline
    from everyword.vectors.table import VectorTable


@click.command()
@click.argument("source", type=a_path, metavar="VECTORS")
@click.option("--steps", metavar="STEP,STEP:VALUE", help='In order, such as "centre,all-but-the-top:3,pca:256".')
@click.option("--fit-on", type=click.IntRange(min=1), metavar="N", help="Fit to the first N words.  [default: all]")
@space_options
def postprocess(
    *,
    source: Path,
    steps: str | None,
    fit_on: int | None,
    output: Path,
    target_format: str | None,
    record: Path | None,
    save_to: Path | None,
    limit: int | None,
) -> None:
    """Centre, flatten or shrink a vector file.

    Steps: centre; unit-rows; all-but-the-top:D removes the mean and the D strongest directions; spectrum:ALPHA scales
    directions by a power of their variance (-0.5 whitens, 0 changes no cosine); whiten:POWER evens them out without
    blowing up weak ones; pca:DIMS keeps the strongest. What was fitted is kept as a record, which --record applies to
    other vectors of the same space.

    \b
    Examples:
      everyword postprocess glove.vec --steps all-but-the-top:3 --output better.vec
      everyword postprocess glove.vec --steps "centre,unit-rows,pca:100" --fit-on 100000 --output small.npy
      everyword postprocess later-words.vec --record small.npy.record --output later-small.vec
    """
    from everyword.space.pipeline import postprocess as fit_and_apply
    from everyword.space.record import load_pipeline
    from everyword.vectors.formats.guess import format_for_writing
    from everyword.vectors.read import read_table

    refuse_both(record, {"--steps": steps, "--fit-on": fit_on, "--save-record": save_to})
    if not steps and record is None:
        raise click.UsageError("Say what to do with --steps, or which record to apply with --record.")
    format_for_writing(output, target_format)
    kept = load_pipeline(record) if record is not None else None
    table = read_table(source, limit=limit)
    if kept is not None:
        finish(kept.apply_table(table), output, target_format)
        return
    changed, fitted = fit_and_apply(table, str(steps), fit_on=fit_on, tell=say)
    click.echo(aligned(_summary(table, changed, fitted)))
    finish(changed, output, target_format, fitted, save_to)


def _summary(before: VectorTable, after: VectorTable, fitted: Pipeline) -> list[tuple[str, str]]:
    from everyword.space.change import neighbour_overlap

    overlap = neighbour_overlap(before.matrix, after.matrix)
    return [
        ("words", f"{len(after):,}"),
        ("dimension", f"{before.dim} → {after.dim}"),
        *((f"{step}: {fact}", f"{value:.4g}") for step, fact, value in fitted.facts),
        ("of 10 neighbours stay", "too few words to tell" if overlap is None else f"{10 * overlap:.1f}"),
    ]
