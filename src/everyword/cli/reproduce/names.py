"""everyword reproduce of studies about attacks on predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, size_options, study_options

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@options.model
@study_options
@size_options
@click.pass_context
def names(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about attacks on predictions.

    Classifiers over word vectors are attacked by other names of the same kind and by misspellings, with several ways to
    give unknown words a vector; then names are repaired by canonical ones. KEY=VALUE changes the attack. What is
    finished is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce names --data DATA
      everyword reproduce names --model love-en --data DATA --seeds 1 budget=10 items=50
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    from everyword.studies.kinds.names import NameJob, run_names

    return run_names(NameJob(**job))
