"""everyword components: what the principal components of a space are good for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.output import json_text, say

if TYPE_CHECKING:
    from everyword.evaluation.probes.components import ComponentScores, TaskScores


@click.command()
@click.argument("model", required=False, metavar="[MODEL_OR_VECTORS]")
@options.text(
    "--tasks",
    "NAME,NAME",
    "similarity, classification, or single sets such as men3000, mr, sst2, agnews, banking77 and newsgroups20.",
    default="similarity,classification",
)
@options.data
@options.policy
@options.count("--points", "How many numbers of first components are scored.", default=10)
@click.option("--singles", type=click.IntRange(min=0), metavar="N", default=0, show_default=True,
              help="How many single components are scored, on texts only.")  # fmt: skip
@options.count("--fit-on", "Fit the components to the first N known words.", default=100_000)
@options.file("--output", "JSON file for all scores.")
@options.file("--plot", "Picture of the curves, .svg or .png.")
@options.overwrite
@options.json_object
def components(
    model: str | None,
    *,
    tasks: str,
    data: Path | None,
    policy: str | None,
    points: int,
    singles: int,
    fit_on: int,
    output: Path | None,
    plot: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Score the principal components of vectors.

    The vectors of a model or a file are written in the basis of their principal components. Scored are the first
    components, the top, middle and bottom third, all but a few of the top, and single ones: by word similarity, and by
    a logistic regression that classifies texts by the mean of their words' vectors. Words that a model makes up go
    through the same map.

    \b
    Examples:
      everyword components glove.6B.300d.txt --data DATA --plot components.svg
      everyword components --tasks similarity,sst2 --data DATA --output components.json
      everyword components my-vectors.vec --tasks sst2 --singles 30 --data DATA
    """
    from everyword.evaluation.evaluated_model import open_evaluated
    from everyword.evaluation.probes.components import ComponentsConfig, probe_components

    for path in (output, plot):
        if path is not None:
            check_file(path, overwrite)
    if plot is not None:
        from everyword.studies.plots.picture import check_output

        check_output(plot)
    names = [name.strip() for name in tasks.split(",") if name.strip()]
    config = ComponentsConfig(points=points, singles=singles, fit_on=fit_on)
    found = probe_components(open_evaluated(model, policy), names, data, config, report=say)
    if output is not None:
        from everyword.atomic import write_atomic

        write_atomic(output, json_text(found.to_dict()) + "\n")
    if plot is not None:
        from everyword.studies.plots.components import draw_components
        from everyword.studies.plots.picture import Frame

        draw_components([found.to_dict()], Frame(plot))
    click.echo(json_text(found.to_dict()) if as_json else _as_text(found))


def _as_text(found: ComponentScores) -> str:
    shares = ", ".join(f"{name} {share:.0%}" for name, share in found.block_shares().items())
    heading = f"{found.table}, policy {found.policy}: {found.dim} components, fitted to {found.fitted_to:,} words"
    rows = (*found.tasks, *(found.means() if len(found.tasks) > 1 else ()))
    return "\n\n".join(
        [
            f"{heading}\nvariance of the thirds: {shares}",
            _table("thirds and the whole", [(row, _thirds(row, found.dim)) for row in rows]),
            _table("first components", [(row, row.first) for row in rows]),
            _table("top components removed", [(row, row.removed) for row in rows]),
            *([_table("single components", singles)] if (singles := [(r, r.single) for r in rows if r.single]) else []),
        ]
    )


def _thirds(task: TaskScores, dim: int) -> dict[str, float]:
    return {"as it is": task.raw, "all": task.first[dim], **task.blocks}


def _table(title: str, rows: Sequence[tuple[TaskScores, dict[str, float] | dict[int, float]]]) -> str:
    """Lay out scores, a line per task."""
    cuts = [str(cut) for cut in rows[0][1]]
    width = max(len(title), *(len(task.name) for task, _ in rows))
    lines = [f"{title:<{width}} {'n':>7}" + "".join(f" {cut:>8}" for cut in cuts)]
    for task, scores in rows:
        lines.append(f"{task.name:<{width}} {task.n:>7,}" + "".join(f" {score:8.1f}" for score in scores.values()))
    return "\n".join(lines)
