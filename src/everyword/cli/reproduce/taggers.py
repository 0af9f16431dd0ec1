"""everyword reproduce of studies of taggers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import named_vectors, reproduce_study, size_options, study_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@named_vectors
@options.text("--part", "K/N", "Train only each Nth tagger, from the Kth on.")
@study_options
@size_options
@click.pass_context
def taggers(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about taggers.

    Taggers are trained on the sets of --data, over vectors that --vectors names, and scored on sets of other domains or
    by kinds of words and tags. With --part, several processes share one work folder; the same command without it then
    puts all together. KEY=VALUE changes all taggers, as in epochs=5. What is finished is used again, so the same
    command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce entity-experts --data DATA --vectors glove=glove.vec --full --device cuda
      everyword reproduce entity-experts --data DATA --vectors glove=glove.vec --seeds 1 epochs=2 --part 1/4
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.taggers import TaggerJob, run_taggers

    return run_taggers(TaggerJob(**job))
