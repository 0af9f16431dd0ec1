"""everyword reproduce of studies about discrete codes."""

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
@options.count("--units", "Train only networks of this size; repeatable.", multiple=True)
@study_options
@size_options
@click.pass_context
def codes(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about codes that a speaker and a listener agree on.

    Games with networks of one size are trained side by side, whatever the bits of their channels; a GPU needs minutes.
    Then each code is scored: strings that arrive, messages that mean something, and how compositional it is. No data is
    needed. KEY=VALUE changes all games. What is trained already is used again, so the same command continues after
    Ctrl-C. With --units, several machines can share the work; rows that no machine has trained stay empty.

    \b
    Examples:
      everyword reproduce emergent-codes --device cuda
      everyword reproduce emergent-codes --device cuda --units 32 --units 64
      everyword reproduce emergent-codes --seeds 1 concepts=3 values=5 train_share=0.6 steps=2000
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.codes import CodeJob, run_codes

    return run_codes(CodeJob(**job))
