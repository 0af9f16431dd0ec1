"""everyword reproduce of studies about losses of classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, size_options, study_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@options.model
@options.text("--encoder", "MODEL", "A folder or a hub id of a transformer such as BERT, which is fine-tuned.")
@options.choice("--only", ("words", "encoder"), "Only the columns of word vectors, or of --encoder.")
@options.count("--limit", "Use only this many texts of each set.")
@study_options
@size_options
@click.pass_context
def metric(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about losses of classifiers.

    Networks learn the labelled texts of --data with each loss: over word vectors of a model and, if --encoder is given,
    inside a transformer. What they make of texts is scored by a vote of nearest neighbours, also for classes that were
    never seen. KEY=VALUE changes the networks. What is measured already is used again, so the same command continues
    after Ctrl-C.

    \b
    Examples:
      everyword reproduce metric-losses --encoder all-MiniLM-L6-v2 --data DATA --device cuda
      everyword reproduce metric-losses --data DATA --limit 500 --seeds 1 epochs=2
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.metric.study import MetricJob, run_metric

    return run_metric(MetricJob(**job))
