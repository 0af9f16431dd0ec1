"""everyword reproduce of studies about feature tuples."""

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
@options.file("--corpus", "Text to train vectors on, a sentence per line; repeatable.", multiple=True)
@study_options
@size_options
@click.pass_context
def features(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about feature tuples.

    Skip-gram vectors of several sizes are trained on --corpus by gensim, and their words compared by cosine and by
    measures of feature tuples. Our scores are printed beside the paper's, then each claim: holds, does not hold, too
    close to tell, or not tested. KEY=VALUE changes the training of the vectors. Tables and scores that exist already
    are used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce feature-tuples --corpus wiki.txt.xz --data DATA
      everyword reproduce feature-tuples --corpus wiki.txt.xz --data DATA --seeds 1 epochs=1
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reading a corpus")
    require("gensim", "Training word vectors")
    from everyword.studies.kinds.features import FeatureJob, run_features

    return run_features(FeatureJob(**job))
