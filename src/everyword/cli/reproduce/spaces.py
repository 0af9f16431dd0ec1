"""everyword reproduce of studies about feature tuples and sizes of resources."""

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
@options.file("--corpus", "Text to train vectors on, a sentence per line; repeatable.", multiple=True)
@study_options
@size_options
@click.pass_context
def features(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about feature tuples.

    Skip-gram vectors of several sizes are trained on --corpus by gensim, and their words compared by cosine and by
    measures of feature tuples. Our scores are printed beside the paper's, then each claim: holds, does not hold, too
    close to tell, or not tested. KEY=VALUE changes the training of the vectors. Tables and scores that exist already
    are used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce feature-tuples --corpus wiki.txt.xz --data DATA
      everyword reproduce feature-tuples --corpus wiki.txt.xz --data DATA --seeds 1 epochs=1
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reading a corpus")
    require("gensim", "Training word vectors")
    from everyword.studies.features import FeatureJob, run_features

    return run_features(FeatureJob(**job))


@click.command(cls=Command)
@options.model
@options.folder("--vectors", "A vector file, or the folder of LANGUAGE.vec and LANGUAGE.tsv, words and counts.")
@options.file("--frequencies", "For scores-by-frequency: words and their counts between tabs.")
@study_options
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
    reproduce_study(str(ctx.info_name), _run_resources, **given)


def _run_resources(**job: Any) -> Findings:
    from everyword.studies.resources import ResourceJob, run_resources

    return run_resources(ResourceJob(**job))
