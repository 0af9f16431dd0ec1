"""everyword train static: word vectors from a corpus by the methods before the contextual skip-gram."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.failures import warnings_as_lines
from everyword.cli.spaces import say
from everyword.cli.static_options import (
    check_corpus_options,
    check_output,
    check_words_fit,
    corpus_options,
    read_listed,
    run_folder_of,
    write_record,
)
from everyword.extras import require
from everyword.skipgram.rivals.configuration import METHODS, GloveConfig, Method, Word2VecConfig

path = click.Path(path_type=Path)
SUMMARY = "A table of vectors from --corpus, without an encoder: skip-gram, cbow, fasttext or glove."


@click.command("static")
@click.argument("method", type=click.Choice(METHODS))
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@corpus_options
@click.option("--output", type=path, required=True, metavar="FILE", help="Where the vectors go; suffix tells format.")
@click.option("--device", default="auto", show_default=True, metavar="auto|cpu|cuda", help="Where GloVe computes.")
@click.option("--overwrite", is_flag=True, help="Replace a table that is there already.")
@click.option("--quiet", is_flag=True, help="Show no progress bar.")
def static(
    *,
    method: Method,
    overrides: tuple[str, ...],
    corpus: tuple[Path, ...],
    words: Path | None,
    prepared: Path | None,
    output: Path,
    device: str,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Make word vectors from a corpus alone.

    METHOD is skip-gram, cbow or fasttext, which the package gensim trains, or glove. All read the same prepared
    corpus as "everyword train skipgram", one that was prepared for an encoder too: the same sentences, the same words.
    KEY=VALUE changes the training: dim, window, epochs, learning_rate and more.

    What an encoder gives to the same words is made by "everyword distil" with --words and the file words.tsv of the
    prepared corpus: its input vectors, the bare word, templates, the mean or the maximum over a corpus.

    \b
    Examples:
      everyword train static skip-gram --corpus wiki.txt.xz --output skip-gram.npy
      everyword train static glove --prepared wiki --output glove.npy --device cuda epochs=15
      everyword train static fasttext --prepared wiki --output fasttext.npy workers=4
      everyword distil my-bert --how corpus --corpus wiki.txt.xz --words wiki/words.tsv --output average.npy
    """
    from everyword.config import build, override, to_dict

    prepared = prepared or run_folder_of(output) / "prepared"
    check_output(output, overwrite)
    check_corpus_options(corpus, words, prepared)
    listed = read_listed(words, output)
    require("torch", "Reading a corpus")
    if method != "glove":
        require("gensim", f"Training {method}")
    from everyword.skipgram.prepared import Prepared, prepare

    values = override({}, overrides)
    settings: GloveConfig | Word2VecConfig = (
        build(GloveConfig, values, "the configuration")
        if method == "glove"
        else build(Word2VecConfig, values, "the configuration")
    )
    with warnings_as_lines():
        if corpus:
            prepare(corpus, prepared, settings.sentences, words=listed, overwrite=overwrite, tell=say)
        ready = Prepared.load(prepared)
        check_words_fit(output, ready.vocabulary.words)
        if isinstance(settings, GloveConfig):
            from everyword.skipgram.rivals.glove import glove_table

            table = glove_table(ready, settings, device=device, show_progress=not quiet)
        else:
            from everyword.skipgram.rivals.word2vec import word2vec_table

            table = word2vec_table(ready, method, settings)
    table.save(output)
    write_record(output, {"method": method, "config": to_dict(settings), "corpus": ready.record})
    say(f"wrote {len(table):,} vectors of dimension {table.dim} to {output}")
