"""everyword extract: word vectors out of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_run_folder, check_vector_file, run_folder_of
from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.output import save_table
from everyword.errors import InputError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel
    from everyword.vectors.table import VectorTable

OF_A_TEXT, OF_OCCURRENCES = ("mean", "max", "cls", "word"), ("mean", "max")
POOLS = {"bare": OF_A_TEXT, "template": OF_A_TEXT, "corpus": OF_OCCURRENCES}
"""How pieces, or the occurrences in a corpus, become one vector."""


def _layers(_ctx: click.Context, _parameter: click.Parameter, value: str) -> tuple[int, ...]:
    return tuple(options.parse_numbers(value, "--layers", "-1,-2"))


@dataclass(frozen=True)
class Request:
    """What the options ask for, checked as far as possible without the model."""

    how: str
    words: list[str] | None
    templates: tuple[str, ...]
    corpus: tuple[Path, ...]
    occurrences: int
    pool: str
    layers: tuple[int, ...]
    run_folder: Path
    resume: bool
    iterations: int | None
    quiet: bool


@click.command()
@click.argument("model")
@options.file("--words", "Words, one per line, a frequency list or a vector file.")
@options.output_file()
@options.choice(
    "--how",
    ["bare", "template", "input", "one-token", "corpus", "attributes"],
    "Where a vector comes from.  [default: corpus or template if given, else bare]",
)
@options.count("--limit", "Only the first N words.")
@options.text("--template", "TEXT", "A text with {}; repeat it to average.", to="templates", multiple=True)
@options.file("--corpus", "A text file (.gz, .xz); repeatable.", multiple=True)
@options.count("--occurrences", "Maximum per word of a corpus.", default=100)
@options.choice("--pool", ["mean", "max", "cls", "word"], "How pieces become a vector.  [default: mean]")
@options.text("--layers", "N,N", "Layers to average, as in -1,-2.", callback=_layers, default="-1")
@options.count("--iterations", "With --how one-token, maximum steps per word.  [default: 4000]")
@options.computing
@options.run_folder
@options.resume
@options.overwrite
@options.quiet
def extract(
    *,
    model: str,
    words: Path | None,
    output: Path,
    how: str | None,
    limit: int | None,
    templates: tuple[str, ...],
    corpus: tuple[Path, ...],
    occurrences: int,
    pool: str | None,
    layers: tuple[int, ...],
    iterations: int | None,
    device: str,
    precision: str | None,
    run_folder: Path | None,
    resume: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Extract word vectors from a language model.

    MODEL is a folder or a hub id, such as user/model, that transformers loads. The result is a vector file: evaluate
    it, or train on it with "everyword train love --teacher".

    \b
    --how bare       the output of the model for the word alone
    --how template   for the word in a text such as "the meaning of {}"
    --how input      the model's input vectors of words that are one piece; without --words, of all of them
    --how one-token  the input vector most like the word's pieces, found by --iterations steps
    --how corpus     the output for the word in text files, pooled over its occurrences
    --how attributes the input vector; for a word that only the model's lexicon knows, the mean of its attributes

    \b
    --pool mean      mean over all pieces of a text, as in sentence encoders; over occurrences in a corpus
    --pool max       maximum of each dimension instead
    --pool cls       the first piece
    --pool word      mean over the word's own pieces

    Words without a vector are left out and counted. With a corpus, Ctrl-C stops after the current part, and the same
    command with --resume continues; with another --pool, it pools again without reading the corpus again.

    \b
    Examples:
      everyword extract my-bert --words words.txt --output vectors.npy
      everyword extract my-bert --words word-frequency.tsv.gz --limit 50000 --output vectors.npy --device cuda
      everyword extract my-bert --words words.txt --template "{}" --template "the meaning of {}" --output vectors.npy
      everyword extract my-bert --how input --output input.vec
      everyword extract my-bert --how one-token --words words.txt --output one-token.npy --device cuda
      everyword extract my-bert --words words.txt --corpus wiki.txt.xz --occurrences 50 --output vectors.npy
      everyword extract my-lm --how attributes --words words.txt --output vectors.npy
    """
    how = _decided(how, templates, corpus)
    if iterations is not None and how != "one-token":
        raise click.UsageError(f"--iterations goes with --how one-token, not with --how {how}.")
    pool = _checked_pool(how, pool)
    run_folder = run_folder_of(output, run_folder)
    if how == "corpus":
        check_run_folder(run_folder, resume, overwrite)
    elif resume:
        raise click.UsageError(f"--resume goes with --how corpus, not with --how {how}.")
    check_vector_file(output, overwrite or resume, inputs=[words, *corpus])
    listed = _read_words(how, words, limit)
    # The slow imports come last, so that mistakes in the options are reported at once.
    require("transformers", "Extracting vectors from a language model")
    request = Request(how, listed, templates, corpus, occurrences, pool, layers, run_folder, resume, iterations, quiet)
    from everyword.language_models.language_model import LanguageModel

    with warnings_as_lines():
        table = _make_table(LanguageModel.load(model, device=device, precision=precision), request)
    if table is None:
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue with the same command and --resume.")
    save_table(table, output)


def _decided(how: str | None, templates: tuple[str, ...], corpus: tuple[Path, ...]) -> str:
    """Return the value of --how; refuse options of another one rather than ignore them."""
    how = how or ("corpus" if corpus else "template" if templates else "bare")
    for option, given, owner in (("--template", templates, "template"), ("--corpus", corpus, "corpus")):
        if given and how != owner:
            raise click.UsageError(f"{option} goes with --how {owner}, not with --how {how}.")
        if how == owner and not given:
            raise click.UsageError(f"--how {owner} needs {option}.")
    return how


def _checked_pool(how: str, pool: str | None) -> str:
    allowed = POOLS.get(how, ())
    if pool is None:
        return "mean"
    if pool not in allowed:
        choices = f"choose from {', '.join(allowed)}" if allowed else "a word has one input vector, so leave it out"
        raise click.UsageError(f"--pool {pool} does not go with --how {how}; {choices}.")
    return pool


def _read_words(how: str, words: Path | None, limit: int | None) -> list[str] | None:
    if words is not None:
        from everyword.corpus.word_list import read_words

        return read_words(words, limit)
    if how != "input":
        raise click.UsageError("Missing option '--words', a file of words, one per line.")
    if limit is not None:
        raise InputError("--limit goes with --words; without it, all words of the model are taken.")
    return None


def _make_table(model: LanguageModel, request: Request) -> VectorTable | None:
    if request.how == "input":
        from everyword.language_models.input_embeddings import input_table

        return input_table(model, request.words)
    assert request.words is not None  # only --how input does without words
    if request.how == "attributes":
        from everyword.language_models.attribute_vectors import attribute_vector_table

        return attribute_vector_table(model, request.words)
    if request.how == "one-token":
        from everyword.language_models.one_token import OneTokenConfig, one_token_table

        config = OneTokenConfig() if request.iterations is None else OneTokenConfig(iterations=request.iterations)
        return one_token_table(model, request.words, config, show_progress=not request.quiet)
    if request.how == "corpus":
        from everyword.language_models.corpus_pooling import CorpusRun, pool_corpus

        run = CorpusRun(
            request.words,
            request.corpus,
            occurrences=request.occurrences,
            layers=request.layers,
            run_folder=request.run_folder,
            resume=request.resume,
            show_progress=not request.quiet,
        )
        pooled = pool_corpus(model, run)
        return None if pooled is None else pooled.table(request.pool)
    from everyword.language_models.templates import BARE, template_table

    return template_table(
        model,
        request.words,
        request.templates or BARE,
        pool=request.pool,
        layers=request.layers,
        show_progress=not request.quiet,
    )
