"""everyword robustify: a language model or sentence encoder that is robust to typos."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder
from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.group import Command
from everyword.cli.common.injection import read_vectors
from everyword.cli.common.output import say
from everyword.extras import require


@click.command(cls=Command, old_options={"--out": "--output", "--imputer": "--vectors", "--words": "--which"})
@click.argument("language_model", metavar="LM")
@options.output_folder()
@options.text(
    "--vectors",
    "FILE_OR_MODEL",
    "A model or vector file in the space of LM's input vectors.  [default: everyword-en, adapted to LM]",
)
@options.strategy()
@options.which("misspelt")
@options.overwrite
@options.quiet
def robustify(
    *, language_model: str, output: Path, vectors: str | None, strategy: str, words: str, overwrite: bool, quiet: bool
) -> None:
    """Make a language model robust to typos.

    LM is a folder or a hub id of an encoder that transformers loads, with any head, or of a sentence encoder of
    sentence-transformers, which keeps its pooling. Nothing is trained and no weight is changed. The command prints how
    to load the result in Python; loaded by transformers alone, it is the plain model.

    \b
    Examples:
      everyword robustify bert-base-uncased --output robust-bert
      everyword robustify my-classifier --output robust-classifier --which unknown
      everyword robustify my-bert --output robust-bert --vectors my-love-for-bert --strategy slash
    """
    save_robust(language_model, vectors, output, strategy=strategy, words=words, overwrite=overwrite, quiet=quiet)


def save_robust(
    language_model: str,
    vectors: str | None,
    output: Path,
    *,
    strategy: str,
    words: str,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Save a language model with vectors put into it; everything is checked before it is loaded."""
    check_folder(output, overwrite)
    require("transformers", "Putting vectors into a language model")
    from everyword.plugins.transformers.saving import robustify_folder

    with warnings_as_lines():
        given = read_vectors(vectors)
        load = robustify_folder(
            language_model, output, given, strategy=strategy, words=words, progress=vectors is None and not quiet
        )
    say(f"Saved the robust model to {output}. Load it:  {load}")
