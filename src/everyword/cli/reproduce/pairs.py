"""everyword reproduce of studies about word and context vectors."""

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
@options.file("--corpus", "Text, a sentence per line; repeatable.", multiple=True)
@options.folder("--prepared", "The prepared corpus.  [default: WORK/prepared]")
@study_options
@size_options
@click.pass_context
def pairs(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about word and context vectors.

    Pairs of word and context vectors are trained on --corpus. What is made of them is scored on test halves; where
    there is a choice, development halves make it. Our scores are printed beside the paper's, then each claim: holds,
    does not hold, too close to tell, or not tested. KEY=VALUE changes all trainings. What is finished is used again, so
    the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce alpha --corpus wiki.txt.xz --data DATA
      everyword reproduce alpha --corpus wiki.txt.xz --data DATA --seeds 1 epochs=2
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    require("gensim", "Training skip-gram")
    from everyword.studies.kinds.pairs.study import PairJob, run_pairs

    return run_pairs(PairJob(**job))
