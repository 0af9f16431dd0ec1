"""everyword reproduce of studies about alignment of languages."""

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
@options.folder("--vectors", "Folder with a vector file for each language, such as en.vec.", required=True)
@study_options
@options.count("--seeds", "Number of runs of what depends on chance.  [default: the study's]")
@options.flag("--full", "Align 20,000 words with exact CSLS, which takes about an hour.")
@click.pass_context
def lexicons(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about alignment of languages.

    The vector files of --vectors, one per language as in en.vec, are aligned in pairs with the dictionaries of --data,
    and translations of test words are searched in both directions. A language without a file is left out. Our scores
    are printed beside the paper's, then each claim: holds, does not hold, too close to tell, or not tested. KEY=VALUE
    changes the size, as in words=50000.

    \b
    Examples:
      everyword train static skip-gram --corpus de.txt.xz --output vectors/de.vec
      everyword reproduce lexicon-induction --vectors vectors --data DATA
      everyword reproduce lexicon-induction --vectors vectors --data DATA --full words=50000 learning_words=10000
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    from everyword.studies.kinds.lexicons import LexiconJob, run_lexicons

    return run_lexicons(LexiconJob(**job))
