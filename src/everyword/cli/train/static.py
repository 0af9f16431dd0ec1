"""everyword train static: word vectors from a corpus by the methods before the contextual skip-gram."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_vector_file, run_folder_of
from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.output import save_table, say
from everyword.cli.train.corpus_options import (
    check_contexts_option,
    check_corpus_options,
    check_parser_option,
    check_words_fit,
    corpus_options,
    load_parser,
    read_listed,
    write_record,
)
from everyword.extras import require
from everyword.systems.skipgram.baselines.config import (
    CONFIGURATIONS,
    DependencyConfig,
    GloveConfig,
    Method,
    Word2VecConfig,
)

if TYPE_CHECKING:
    from everyword.systems.skipgram.prepared import PreparedCorpus
    from everyword.vectors.context_pair import ContextPair

SUMMARY = "Vectors from --corpus without an encoder: skip-gram, cbow, fasttext, glove or dependency."


@click.command("static", short_help=SUMMARY)
@click.argument("method", type=click.Choice([*CONFIGURATIONS]))
@options.overrides
@corpus_options
@options.text("--parser", "PIPELINE", "For dependency: a spaCy pipeline with a parser, by its name or folder.")
@options.output_file()
@options.file("--contexts", "Save the context vectors, too, to this file; OUTPUT then has the word vectors alone.")
@options.device
@options.overwrite
@options.quiet
def static(
    *,
    method: Method,
    overrides: tuple[str, ...],
    corpus: tuple[Path, ...],
    words: Path | None,
    prepared: Path | None,
    workers: int,
    parser: str | None,
    output: Path,
    contexts: Path | None,
    device: str,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Make word vectors from a corpus alone.

    METHOD is skip-gram, cbow or fasttext, which the package gensim trains (trainer=torch trains them here, in large
    batches on a GPU), glove or dependency. All read the same prepared corpus as "everyword train skipgram", also one
    that was prepared for an encoder. KEY=VALUE changes the training: dim, window, epochs, learning_rate and more.

    The method dependency is a skip-gram whose contexts are the syntactic neighbours of a word, such as its subject. It
    reads --corpus with a spaCy pipeline, --parser, or files in CoNLL-U (.conllu), which need none and serve all other
    methods too. The parsed pairs are kept in the prepared corpus, so that parsing is done once.

    All methods but dependency train two vectors per word: one as a word, one as a context of other words. --contexts
    keeps both, with the counts of the words and GloVe's biases beside them (FILE.pair.json), as "everyword alpha" needs
    them. Without it, GloVe's vectors are the sum of the two, as published, and the others the word vectors.

    To extract vectors of the same words from an encoder, give "everyword extract" the file words.tsv of the prepared
    corpus by --words.

    \b
    Examples:
      everyword train static skip-gram --corpus wiki.txt.xz --output skip-gram.npy
      everyword train static glove --prepared wiki --output glove.npy --device cuda epochs=15
      everyword train static fasttext --prepared wiki --output fasttext.npy workers=4
      everyword train static cbow --prepared wiki --output cbow.npy --device cuda trainer=torch learning_rate=0.05
      everyword train static skip-gram --prepared wiki --output words.npy --contexts contexts.npy
      everyword train static dependency --prepared wiki --corpus wiki.txt.xz --parser en_core_web_sm --output deps.npy
      everyword train static dependency --corpus parsed.conllu --output deps.npy
      everyword extract my-bert --how corpus --corpus wiki.txt.xz --words wiki/words.tsv --output average.npy
    """
    from everyword.config import build, override, to_dict

    prepared = prepared or run_folder_of(output) / "prepared"
    check_vector_file(output, overwrite, inputs=[words, *corpus])
    check_contexts_option(method, output, contexts, overwrite, inputs=[words, *corpus])
    check_corpus_options(corpus, words, prepared)
    check_parser_option(method, corpus, parser)
    listed = read_listed(words, output)
    require("torch", "Reading a corpus")
    settings = build(CONFIGURATIONS[method], override({}, overrides), "the configuration")
    if isinstance(settings, Word2VecConfig) and settings.trainer == "gensim":
        require("gensim", f"Training {method}")
    from everyword.systems.skipgram.prepared import PreparedCorpus, prepare
    from everyword.vectors.table import VectorTable

    record: dict[str, Any] = {"method": method, "config": to_dict(settings)}
    with warnings_as_lines():
        pipeline = load_parser(parser)
        if corpus:
            prepare(
                corpus, prepared, settings.sentences, words=listed, workers=workers, overwrite=overwrite, report=say
            )
        ready = PreparedCorpus.load(prepared)
        for path in filter(None, [output, contexts]):
            check_words_fit(path, ready.vocabulary.words)
        if isinstance(settings, DependencyConfig):
            from everyword.systems.skipgram.baselines.dependency import dependency_table, find_pairs, pairs_folder

            folder = pairs_folder(ready, pipeline)
            pairs = find_pairs(
                corpus, folder, ready, pipeline, overwrite=overwrite, show_progress=not quiet, report=say
            )
            record |= {"parser": pairs.record["parser"], "pairs": sum(pairs.sizes)}
            table = dependency_table(ready, pairs, settings, device=device, show_progress=not quiet)
        else:
            pair = _train_pair(ready, method, settings, device, show_progress=not quiet)
            # GloVe's vectors are the sum of both, as published, unless both are kept.
            summed = isinstance(settings, GloveConfig) and contexts is None
            table = VectorTable(pair.words, pair.vectors + pair.contexts) if summed else pair.table
    write_record(output, {**record, "corpus": ready.record})
    if contexts is not None:
        pair.save(output, contexts)
        say(f"Saved {len(pair):,} word vectors to {output} and their context vectors to {contexts}.")
    else:
        save_table(table, output)


def _train_pair(
    ready: PreparedCorpus, method: Method, settings: Word2VecConfig | GloveConfig, device: str, *, show_progress: bool
) -> ContextPair:
    if isinstance(settings, GloveConfig):
        from everyword.systems.skipgram.baselines.glove import glove_pair

        return glove_pair(ready, settings, device=device, show_progress=show_progress)
    if settings.trainer == "torch":
        from everyword.systems.skipgram.baselines.batched import batched_pair

        return batched_pair(ready, method, settings, device=device)
    from everyword.systems.skipgram.baselines.word2vec import word2vec_pair

    return word2vec_pair(ready, method, settings)
