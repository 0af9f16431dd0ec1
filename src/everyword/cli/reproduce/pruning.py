"""everyword reproduce of studies about pruned encoders."""

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
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.")
@study_options
@size_options
@click.pass_context
def pruning(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about pruned encoders.

    A transformer is pruned before fine-tuning on the labelled texts of --data, for good or with weights that may move
    again, or after it; then accuracy and training loss are measured. KEY=VALUE changes fine-tuning. What is measured
    already is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce pruned-encoders --encoder all-MiniLM-L6-v2 --data DATA --device cuda
      everyword reproduce pruned-encoders --encoder my-bert --data DATA --seeds 1 epochs=1
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.pruning import PrunedJob, run_pruned

    return run_pruned(PrunedJob(**job))
