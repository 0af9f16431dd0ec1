"""everyword reproduce of studies about adversarial training."""

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
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads, to be fine-tuned too.")
@study_options
@size_options
@click.pass_context
def adversarial(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about adversarial training.

    Classifiers are trained on the labelled texts of --data under the worst small changes of their input vectors: over
    the mean word vector of a model and, if --encoder is given, a fine-tuned transformer. They are scored on texts as
    they are, misspelt, and under the worst change. KEY=VALUE changes the training of both. What is measured already is
    used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce adversarial-training --data DATA
      everyword reproduce adversarial-training --encoder all-MiniLM-L6-v2 --data DATA --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.adversarial.study import AdversarialJob, run_adversarial

    return run_adversarial(AdversarialJob(**job))
