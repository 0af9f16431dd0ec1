"""everyword train context: what a model needs to read words by those around them."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder
from everyword.cli.common.output import say, say_saved_model

NAME = "context"


@click.command(NAME, short_help="Let a model read and correct words by those around them, from --corpus.")
@options.overrides
@options.model
@options.file("--corpus", "Text, a sentence per line; repeatable.", multiple=True, required=True)
@options.file("--style", "Text like that to be corrected, a sentence per line; repeatable.", multiple=True)
@options.file("--misspellings", "Tab-separated wrong and right, with a header line.")
@options.file("--human-misspellings", "The same, of people; words that judge are left out.")
@options.output_folder("Folder to save the model to.")
@options.overwrite
def context(
    *,
    overrides: tuple[str, ...],
    model_name: str | None,
    corpus: tuple[Path, ...],
    style: tuple[Path, ...],
    misspellings: Path | None,
    human_misspellings: Path | None,
    output: Path,
    overwrite: bool,
) -> None:
    """Let a model read words by those around them.

    Pairs and triples of words are counted in the files of --corpus, and in those of --style, which count more. Then
    errors are put into sentences that were held out, and small networks learn to find them. The model is saved with all
    of that in one more file; it needs no torch. A million sentences take some minutes. KEY=VALUE changes settings:
    reach, least, most (n-grams to keep), style_weight, held_out, changed (right words that may be changed) and more.

    \b
    Examples:
      everyword train context --corpus wiki.txt.xz --output my-model
      everyword train context --corpus wiki.txt.xz --style mails.txt --misspellings codespell.tsv --output my-model
      everyword train context --model my-model --corpus medical.txt --output my-model-2 most=1000000 changed=0.001
    """
    check_folder(output, overwrite)

    from everyword.config import build, override
    from everyword.models.load import load
    from everyword.systems.context.config import ContextConfig
    from everyword.systems.context.train import Sources, save_context, train_context

    config = build(ContextConfig, override({}, overrides), NAME)
    sources = Sources(corpus, style, misspellings, human_misspellings)
    model = load(model_name)
    save_context(model, train_context(model, sources, config, say), output, config)
    say_saved_model(output)
