"""everyword reproduce of studies about scores by the size of a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, study_options

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.model
@options.folder("--vectors", "A vector file, or the folder of LANGUAGE.vec and LANGUAGE.tsv, words and counts.")
@options.file("--frequencies", "For scores-by-frequency: words and their counts between tabs.")
@study_options
@options.count("--seeds", "Refused: nothing is drawn.", hidden=True)
@click.pass_context
def resources(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table of scores by the size of a resource.

    The study scores-by-frequency scores a model and a vector file in bands of the frequency of words;
    scores-by-resource trains a linear tagger for several languages and regresses its accuracy on the size of the corpus
    that the vectors were trained on and on that of the training text.

    \b
    Examples:
      everyword reproduce scores-by-frequency --frequencies counts.tsv --vectors skip-gram.npy --data DATA
      everyword reproduce scores-by-resource --vectors languages --data DATA
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    from everyword.studies.kinds.resources import ResourceJob, run_resources

    return run_resources(ResourceJob(**job))
