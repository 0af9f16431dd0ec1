"""What scripts about static vectors from contextual models share: names of saved results, and options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from record import RESULTS

from everyword.systems.skipgram import PreparedCorpus

NAME, CACHED, CURVES = "skipgram", "skipgram-cached", "skipgram-curves"
"""The results: speed; that of training on cached outputs, with that of a step on the same corpus; learning curves and
the attention over a sentence."""
HEAD = ("encoder", "corpus", "sentences", "words", "occurrences")
"""What all parts of the result have in common."""
path = click.Path(path_type=Path)
prepared_option = click.option("--prepared", type=path, required=True)
data_option = click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path))
kept_option = click.option("--kept", type=path, default=RESULTS, help="The folder of saved results.")


def head_of(corpus: PreparedCorpus) -> dict[str, Any]:
    """Return the description of a corpus; parts about another one do not belong to the same result."""
    counts = corpus.vocabulary.counts
    told = (corpus.record["encoder"], corpus.record["corpus"], sum(corpus.sizes), len(counts), int(counts.sum()))
    return dict(zip(HEAD, told, strict=True))
