"""everyword reproduce of studies about attributes of words."""

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
@click.option(
    "--only-seed",
    "only",
    type=click.IntRange(0),
    metavar="SEED",
    multiple=True,
    help="Train only this seed; repeatable.",
)
@study_options
@size_options
@click.pass_context
def attributes(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about attributes of words in a language model.

    Small causal language models are trained with and without attributes, then measured: perplexity, sentiment of texts,
    synonyms in these, and similarity of words, also of those that only the lexicon has. KEY=VALUE changes all models.
    What is measured already is used again, so the same command continues after Ctrl-C. With --only-seed, several
    machines can share the work; rows that are not complete stay empty.

    \b
    Examples:
      everyword reproduce word-attributes --data DATA --device cuda
      everyword reproduce word-attributes --data DATA --device cuda --only-seed 0
      everyword reproduce word-attributes --data DATA --seeds 1 layers=1 width=64 epochs=1
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.attributes.run import run_attributes
    from everyword.studies.kinds.attributes.study import AttributeJob

    return run_attributes(AttributeJob(**job))
