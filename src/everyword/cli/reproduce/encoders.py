"""everyword reproduce of studies about word vectors inside an encoder."""

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
    from everyword.studies.kinds.encoders.study import EncoderVariant


@click.command(cls=Command)
@options.overrides
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads, to be fine-tuned.", required=True)
@options.file("--corpus", "Text, a sentence per line, over which outputs are pooled; repeatable.", multiple=True)
@share_options
@study_options
@size_options
@click.pass_context
def encoders(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about word vectors inside an encoder.

    A model of spelling learns the input vectors of --encoder, or its outputs pooled over --corpus, and gives a vector
    to each word that the tokenizer splits. The encoder is fine-tuned with these vectors on labelled texts and scored as
    typos are added. Our scores are printed beside the paper's, then each claim: holds, does not hold, too close to
    tell, or not tested.

    KEY=VALUE changes the model of spelling, tuning.KEY=VALUE fine-tuning. What is measured already is used again, so
    the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce love-encoder --encoder all-MiniLM-L6-v2 --data DATA
      everyword reproduce love-encoder --encoder all-MiniLM-L6-v2 --corpus wiki.txt.xz --data DATA --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("transformers", "Reproducing a study about language models")
    from everyword.studies.kinds.encoders.study import EncoderJob, run_encoders

    with warnings_as_lines():
        return run_encoders(EncoderJob(put_in=put_in, **job))


def put_in(network: Any, tokenizer: Any, vectors: Any, variant: EncoderVariant) -> Any:
    """Put vectors into a network, as a row of the study wants it."""
    from everyword.plugins.transformers import robustify

    return robustify(network, tokenizer, vectors, variant.strategy, words=variant.words)
