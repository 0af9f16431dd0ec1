"""everyword reproduce of studies about rare words in a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, share_options, size_options, study_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings
    from everyword.studies.kinds.rare_words.study import RareWordVariant


@click.command(cls=Command)
@options.overrides
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.", required=True)
@options.folder("--contexts", "Frequent words and their sentences.", required=True)
@options.file("--targets", "Their vectors by 'everyword extract --how one-token'.  [default: made first]")
@options.folder("--rare", "Rare words and their sentences.")
@options.file("--counts", "For bertram-rarified: word counts of 'everyword cloze count'.")
@options.file("--probe", "For bertram-probe: questions of 'everyword cloze build'.")
@share_options
@study_options
@size_options
@click.pass_context
def rare_words(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about rare words in a language model.

    The variants of the study learn from sentences of frequent words, --contexts: with each seed, all of them from the
    same words and the same number of sentences, which are drawn anew. Words of several pieces are among them; their
    vectors are --targets, or are found by one-token approximation. Our scores are printed beside the paper's, then each
    claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes BERTRAM, static.KEY=VALUE its predecessors, mimick.KEY=VALUE Mimick, rarify.KEY=VALUE the texts
    with rare words, and one_token.KEY=VALUE one-token approximation; contexts_a_word is for all models. Models and
    scores that exist already are used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce bertram-contexts --encoder my-bert --contexts frequent --data DATA
      everyword reproduce bertram-rarified --encoder my-bert --contexts frequent --rare rare --counts counts.tsv
        --data DATA
      everyword reproduce bertram-probe --encoder my-bert --contexts frequent --rare rare --probe cloze.tsv
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("transformers", "Reproducing a study about language models")
    from everyword.studies.kinds.rare_words.models import RareWordJob
    from everyword.studies.kinds.rare_words.run import run_rare_words

    with warnings_as_lines():
        return run_rare_words(RareWordJob(put_in=_put_in, **job))


def _put_in(network: Any, tokenizer: Any, vectors: Any, variant: RareWordVariant) -> Any:
    from everyword.plugins.transformers import robustify

    return robustify(network, tokenizer, vectors, variant.strategy, words=variant.words)
