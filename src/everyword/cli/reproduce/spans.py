"""everyword reproduce of studies about poolings of spans."""

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
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.")
@study_options
@size_options
@click.pass_context
def spans(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about poolings of spans.

    For each pooling a probe is trained on frozen vectors of the tokens of --data: those of an everyword model and, if
    --encoder is given, of all layers of a language model. Our scores are printed beside the paper's, then each claim:
    holds, does not hold, too close to tell, or not tested. KEY=VALUE changes the probes.

    \b
    Examples:
      everyword reproduce span-poolings --data DATA
      everyword reproduce span-poolings --encoder all-MiniLM-L6-v2 --data DATA --seeds 1 epochs=3
      everyword reproduce span-roles --data DATA
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.spans import SpanJob, run_spans

    return run_spans(SpanJob(**job))
