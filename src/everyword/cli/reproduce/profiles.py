"""everyword reproduce of studies about linguistic profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, study_options

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@options.model
@options.file("--vectors", "A vector file, for the rows about static vectors.")
@options.text("--encoder", "FOLDER", "The folder of a transformer, for the rows about its layers.")
@study_options
@options.count("--seeds", "Number of folds.  [default: the study's]")
@click.pass_context
def profiles(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about linguistic profiles.

    Features of the sentences of treebanks in --data are predicted from pooled vectors: of an everyword model, and of
    --vectors and --encoder if they are given. Our scores are printed beside the paper's, then each claim: holds, does
    not hold, too close to tell, or not tested. KEY=VALUE changes the regression: loss, strengths, seed. What is
    finished is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce linguistic-profile --vectors glove.npy --data DATA
      everyword reproduce linguistic-profile --encoder all-MiniLM-L6-v2 --data DATA
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    from everyword.studies.kinds.profiles import ProfileJob, run_profiles

    return run_profiles(ProfileJob(**job))
