"""everyword train average: the outputs of an encoder, averaged over the occurrences of each word in a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_vector_file
from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.output import save_table
from everyword.cli.train.corpus_options import check_corpus_options, check_words_fit, write_record
from everyword.extras import require

LAST_LAYER = (-1,)


@click.command("average", short_help="Mean of what --encoder says of each word in a prepared corpus.")
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.", required=True)
@options.folder("--prepared", 'The prepared corpus, of "everyword train skipgram".', required=True)
@options.output_file()
@options.count("--dim", "Project the vectors to this many principal components.")
@options.choice("--pool", ("mean", "max"), "How the occurrences of a word become one vector.", default="mean")
@options.flag("--cache-states", "Keep the encoder's outputs for other commands, in a file of PREPARED (on a CPU).")
@options.computing
@options.overwrite
def average(
    *,
    encoder: str,
    prepared: Path,
    output: Path,
    dim: int | None,
    pool: str,
    cache_states: bool,
    device: str,
    precision: str | None,
    overwrite: bool,
) -> None:
    """Average an encoder's outputs over a prepared corpus.

    The simplest way from a contextual encoder to one vector per word, and the baseline of "everyword train skipgram":
    it sees the same words in the same sentences. --dim projects the vectors to their first principal components, so
    that both have equally many dimensions. With --cache-states the encoder reads the corpus once for several such
    commands and for "everyword train skipgram cache_states=true": on a CPU its outputs stay in a file of PREPARED, 2
    bytes a number.

    \b
    Examples:
      everyword train average --encoder my-bert --prepared wiki --output average.npy
      everyword train average --encoder my-bert --prepared wiki --output average.npy --dim 300
    """
    check_vector_file(output, overwrite)
    check_corpus_options((), None, prepared)
    require("transformers", "Averaging what an encoder reads")
    from everyword.language_models.language_model import LanguageModel
    from everyword.systems.skipgram.prepared import PreparedCorpus
    from everyword.systems.skipgram.state_cache import cached_states
    from everyword.systems.skipgram.states import StatePool, pooled_states, principal_components
    from everyword.vectors.table import VectorTable

    with warnings_as_lines():
        model, ready = LanguageModel.load(encoder, device=device, precision=precision), PreparedCorpus.load(prepared)
        ready.check_encoder(model)
        check_words_fit(output, ready.vocabulary.words)
        cache = cached_states(model, ready, LAST_LAYER, show_progress=True) if cache_states else None
        vectors = pooled_states(model, ready, LAST_LAYER, cast("StatePool", pool), cache)
        if dim is not None:
            vectors = principal_components(vectors, dim)
    record = {"method": "average", "pool": pool, "dim": vectors.shape[1], "corpus": ready.record}
    write_record(output, record)
    save_table(VectorTable.from_checked(ready.vocabulary.words, vectors.cpu().numpy()), output)
