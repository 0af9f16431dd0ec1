"""everyword reproduce of studies about measures of texts."""

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
@options.file("--vectors", "A vector file such as GloVe's, for the rows about a plain table.")
@study_options
@size_options
@click.pass_context
def texts(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about measures of texts.

    What the study trains learns from the paraphrases in --data. Our scores are printed beside the paper's, then each
    claim: holds, does not hold, too close to tell, or not tested. KEY=VALUE changes all trainings, except for what
    distinguishes them. What is trained already is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce word-operators --data DATA
      everyword reproduce word-operators --data DATA --vectors glove.npy --seeds 1 epochs=2
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.texts import TextJob, run_texts

    return run_texts(TextJob(**job))
