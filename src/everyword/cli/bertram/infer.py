"""everyword bertram infer: input vectors of words from their spelling and sentences."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.options import computing_options
from everyword.extras import require

path = click.Path(path_type=Path)


@click.command()
@click.argument("model", type=path, metavar="MODEL_FOLDER")
@click.option("--words", type=path, metavar="FILE", help="The words, one a line.  [default: those of --contexts]")
@click.option(
    "--contexts",
    type=path,
    multiple=True,
    metavar="FOLDER",
    help="Words and sentences in which they stand; may be given several times.",
)
@click.option("--out", "--output", "output", type=path, required=True, metavar="FILE", help="Where the vectors go.")
@click.option("--encoder", metavar="MODEL", help="Where the encoder lies that the model was trained with.")
@click.option(
    "--most-contexts", type=click.IntRange(min=1), default=64, show_default=True, help="Sentences drawn of a word."
)
@computing_options
@click.option("--quiet", is_flag=True, help="Show no progress bar.")
def infer(
    *,
    model: Path,
    words: Path | None,
    contexts: tuple[Path, ...],
    output: Path,
    encoder: str | None,
    most_contexts: int,
    device: str,
    precision: str | None,
    quiet: bool,
) -> None:
    """Give words input vectors for the encoder of a trained BERTRAM.

    A word in several --contexts has the sentences of all of them: add what "everyword contexts" finds in the texts that
    the language model will read. A word of --words without sentences gets the vector of its spelling alone. The result
    is a vector file like any other; its suffix tells the format.

    \b
    Examples:
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --output rare.vec
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --words words.txt --output rare.npy
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --contexts my-texts --output rare.vec
    """
    from everyword.atomic import AtomicFiles
    from everyword.vectors.formats.guess import format_for_writing

    if words is None and not contexts:
        raise click.UsageError("Give --contexts, --words or both: there is nothing to make vectors for.")
    format_for_writing(output, None)
    AtomicFiles(output)  # refuses a place where the file could not be made
    require("transformers", "BERTRAM")
    from everyword.corpus.contexts.sentences import read_sentences
    from everyword.corpus.word_list import read_words
    from everyword.systems.bertram.model import Bertram

    with warnings_as_lines():
        found = read_sentences(*contexts)
        listed = list(found) if words is None else read_words(words)
        bertram = Bertram.load(model, encoder, device=device, precision=precision)
        sentences = {word: found.get(word, []) for word in listed}
        table = bertram.vectors_for(sentences, most_contexts=most_contexts, show_progress=not quiet)
    table.save(output)
    alone = sum(not given for given in sentences.values())
    by_form = f", {alone:,} of them from spelling alone" if alone else ""
    click.echo(f"wrote {len(table):,} vectors of dimension {table.dim}{by_form} to {output}", err=True)
