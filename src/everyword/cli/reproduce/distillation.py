"""everyword reproduce of studies about distillation."""

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
@options.text("--encoder", "MODEL", "A language model that becomes the teacher: a folder or a hub id.")
@options.model
@options.option("--only-seed", "Train with this one of the seeds, from 0; others may run beside it.", type=int)
@options.text("--only-set", "NAME", "Train on this set only; others may run beside it.")
@study_options
@size_options
@click.pass_context
def distillation(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about small classifiers that learn from a large one.

    A language model, --encoder, is fine-tuned on the labelled texts of --data and becomes the teacher; without it, the
    students that learn from labels alone are the teacher together. Students over the word vectors of a model learn from
    the labels alone, from the labels and the probabilities of the teacher, and from changed copies of the texts too.
    KEY=VALUE changes the students. What is measured already is used again, so the same command continues after Ctrl-C,
    and several of them with different --only-seed or --only-set can run side by side.

    \b
    Examples:
      everyword reproduce distillation --data DATA
      everyword reproduce distillation --full --encoder my-minilm --data DATA --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.distillation.study import DistillationJob, run_distillation

    return run_distillation(DistillationJob(**job))
