"""everyword reproduce of studies about transfer between languages."""

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
@options.folder("--vectors", "Vector files by language, such as en.vec, the frequent words first.", required=True)
@study_options
@size_options
@click.pass_context
def transfer(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about transfer between languages.

    Taggers learn from tagged sentences of some languages in --data and are scored in others, over vectors that are as
    they are, mapped onto those of one language, or brought together by an adversary. Our scores are printed beside the
    paper's, then each claim: holds, does not hold, too close to tell, or not tested. KEY=VALUE changes the taggers, as
    in tagger.learning.epochs=5. What is trained already is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce language-adversary --vectors tables --data DATA
      everyword reproduce language-adversary --vectors tables --data DATA --seeds 1 adversary.strength=0.001
      everyword reproduce language-adversary --vectors tables --data DATA --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.transfer import TransferJob, run_transfer

    return run_transfer(TransferJob(**job))
