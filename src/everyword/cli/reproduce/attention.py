"""everyword reproduce of studies about attention as explanation."""

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
@study_options
@size_options
@click.pass_context
def attention(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about attention as explanation.

    Classifiers with attention are trained on the labelled texts of --data, over the word vectors of a model. Then their
    attention is made even or shuffled, single words are erased, and it is measured how much the states still know of
    their words. KEY=VALUE changes the classifiers. What is measured already is used again, so the same command
    continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce attention-words --data DATA --device cuda
      everyword reproduce attention-words --data DATA --seeds 1 epochs=2
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.attention.study import AttentionJob, run_attention

    return run_attention(AttentionJob(**job))
