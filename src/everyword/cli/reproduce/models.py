"""everyword reproduce of studies about models of spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, share_options, size_options, study_options
from everyword.cli.train.recipe import check_teacher
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@options.file("--teacher", "Vector file to learn from.", required=True)
@share_options
@study_options
@size_options
@click.pass_context
def models(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table of models of spelling.

    Every variant of the study is trained on your teacher, small unless --full is given. Our scores are printed beside
    the paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes the configuration of all variants, except for what distinguishes them; networks.KEY=VALUE changes
    the networks that a study trains on the vectors. Models and scores that exist already are used again, so the same
    command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce love-ablation --teacher vectors.vec --data DATA
      everyword reproduce love-temperature --teacher vectors.vec --data DATA words.limit=5000 --work runs/quick
      everyword reproduce love-robustness --teacher vectors.vec --data DATA --seeds 5
      everyword reproduce love-intrinsic --teacher crawl-300d-2M.vec --data DATA --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    check_teacher(job["teacher"], needed=True)
    require("torch", "Reproducing a study")
    from everyword.learning.device import pick_device
    from everyword.studies.kinds.models.study import ModelJob, run_models

    pick_device(job["device"])
    return run_models(ModelJob(**job))
