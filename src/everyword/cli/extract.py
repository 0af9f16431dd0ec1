"""everyword distil: word vectors out of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.errors import INTERRUPTED, warnings_as_lines
from everyword.cli.common.options import computing_options
from everyword.errors import InputError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel
    from everyword.vectors.table import VectorTable

OF_A_TEXT, OF_OCCURRENCES = ("mean", "max", "cls", "word"), ("mean", "max")
POOLS = {"bare": OF_A_TEXT, "template": OF_A_TEXT, "corpus": OF_OCCURRENCES}
"""How pieces, or with a corpus occurrences, become one vector."""
path = click.Path(path_type=Path)


def _numbers(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"layers are whole numbers such as -1 or -1,-2. Got {value!r} instead.") from None


@dataclass(frozen=True)
class Wish:
    """What the options ask for, checked as far as can be without the model."""

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
@click.option("--words", type=path, metavar="FILE", help="The words: one a line, a frequency list or a vector table.")
@click.option("--output", type=path, required=True, metavar="FILE", help="Where the vectors go; suffix tells format.")
@click.option(
    "--how",
    type=click.Choice(["bare", "template", "input", "one-token", "corpus"]),
    help="Where a vector comes from.  [default: corpus or template if given, else bare]",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N words.")
@click.option("--template", "templates", multiple=True, metavar="TEXT", help="A text with {}; repeat it to average.")
@click.option("--corpus", type=path, multiple=True, metavar="FILE", help="A text file (.gz, .xz); repeat it for more.")
@click.option(
    "--occurrences", type=click.IntRange(min=1), default=100, show_default=True, help="In a corpus, at most N a word."
)
@click.option(
    "--pool", type=click.Choice(["mean", "max", "cls", "word"]), help="How pieces become a vector.  [default: mean]"
)
@click.option(
    "--layers",
    callback=_numbers,
    metavar="N,N",
    default="-1",
    show_default=True,
    help="Layers to average, as in -1,-2.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --how one-token, at most N steps a word.  [default: 4000]",
)
@computing_options
@click.option(
    "--run-folder", type=path, metavar="FOLDER", help="The checkpoint of a corpus run.  [default: OUTPUT-run]"
)
@click.option("--resume", is_flag=True, help="Go on with a corpus where the run folder stands.")
@click.option("--overwrite", is_flag=True, help="Replace a run that is there already.")
@click.option("--quiet", is_flag=True, help="Show no progress bar.")
def distil(
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
    """Make word vectors with a language model.

    MODEL is anything that the package transformers loads: a folder, or a hub id such as user/model. The result is
    a vector file like any other: evaluate it, or train on it with "everyword train --teacher".

    \b
    --how bare      what the model makes of the word alone
    --how template  of the word in a text such as "the meaning of {}"
    --how input     its input vectors; only words that are one piece, and without --words all of them
    --how one-token the input vector that comes nearest to the word's pieces, found by --iterations steps
    --how corpus    of the word where it stands in text files, pooled over its occurrences

    \b
    --pool mean     over all pieces of a text, as sentence encoders do; over occurrences in a corpus
    --pool max      likewise, the greatest value in each dimension
    --pool cls      the first piece
    --pool word     the mean of the word's own pieces

    Words that get no vector are left out and counted. With a corpus, Ctrl-C stops after the current part, and the
    same command with --resume goes on; with another --pool, it gives that one without reading again.

    \b
    Examples:
      everyword distil my-bert --words words.txt --output vectors.npy
      everyword distil my-bert --words word-frequency.tsv.gz --limit 50000 --output vectors.npy --device cuda
      everyword distil my-bert --words words.txt --template "{}" --template "the meaning of {}" --output vectors.npy
      everyword distil my-bert --how input --output input.vec
      everyword distil my-bert --how one-token --words words.txt --output one-token.npy --device cuda
      everyword distil my-bert --words words.txt --corpus wiki.txt.xz --occurrences 50 --output vectors.npy
    """
    how = _decided(how, templates, corpus)
    if iterations is not None and how != "one-token":
        raise click.UsageError(f"--iterations goes with --how one-token, not with --how {how}.")
    pool = _checked_pool(how, pool)
    run_folder = run_folder or output.with_name(output.name + "-run")
    _check_places(how, output, run_folder, resume, overwrite)
    listed = _read_words(how, words, limit)
    # The slow imports come last: whatever is wrong above is told at once.
    require("transformers", "Making vectors with a language model")
    wish = Wish(how, listed, templates, corpus, occurrences, pool, layers, run_folder, resume, iterations, quiet)
    from everyword.language_models.language_model import LanguageModel

    with warnings_as_lines():
        table = _make_table(LanguageModel.load(model, device=device, precision=precision), wish)
    if table is None:
        click.echo(f"Stopped; the run is kept in {run_folder}. Go on with the same command and --resume.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    table.save(output)
    click.echo(f"wrote {len(table):,} vectors of dimension {table.dim} to {output}", err=True)


def _decided(how: str | None, templates: tuple[str, ...], corpus: tuple[Path, ...]) -> str:
    """The way to go; options of another way are refused rather than ignored."""
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
        choices = f"takes {', '.join(allowed)}" if allowed else "takes none, because a word gets one input vector"
        raise click.UsageError(f"There is no --pool {pool} with --how {how}, which {choices}.")
    return pool


def _check_places(how: str, output: Path, run_folder: Path, resume: bool, overwrite: bool) -> None:
    from everyword.atomic import AtomicFiles
    from everyword.cli.common.checks import check_run_folder
    from everyword.vectors.formats.guess import format_for_writing

    format_for_writing(output, None)
    AtomicFiles(output)  # refuses a place where the file could not be made
    if how == "corpus":
        check_run_folder(run_folder, resume, overwrite)
    elif resume:
        raise click.UsageError(f"--resume goes with --how corpus; --how {how} is made at once.")


def _read_words(how: str, words: Path | None, limit: int | None) -> list[str] | None:
    if words is not None:
        from everyword.corpus.word_list import read_words

        return read_words(words, limit)
    if how != "input":
        raise click.UsageError("Give the words to make vectors for by --words, a file with one a line.")
    if limit is not None:
        raise InputError("--limit counts the words of --words; give that file, or take all words of the model.")
    return None


def _make_table(model: LanguageModel, wish: Wish) -> VectorTable | None:
    if wish.how == "input":
        from everyword.language_models.input_embeddings import input_table

        return input_table(model, wish.words)
    assert wish.words is not None  # only the model's own words may be left unsaid
    if wish.how == "one-token":
        from everyword.language_models.one_token import OneTokenConfig, one_token_table

        config = OneTokenConfig() if wish.iterations is None else OneTokenConfig(iterations=wish.iterations)
        return one_token_table(model, wish.words, config, show_progress=not wish.quiet)
    if wish.how == "corpus":
        from everyword.language_models.corpus_pooling import CorpusRun, pool_corpus

        run = CorpusRun(
            wish.words,
            wish.corpus,
            occurrences=wish.occurrences,
            layers=wish.layers,
            run_folder=wish.run_folder,
            resume=wish.resume,
            show_progress=not wish.quiet,
        )
        pooled = pool_corpus(model, run)
        return None if pooled is None else pooled.table(wish.pool)
    from everyword.language_models.templates import BARE, template_table

    return template_table(
        model,
        wish.words,
        wish.templates or BARE,
        pool=wish.pool,
        layers=wish.layers,
        show_progress=not wish.quiet,
    )
