"""everyword robustify: a language model that a typo does not throw off, as a folder."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common.injection import write_robust

path = click.Path(path_type=Path)


@click.command()
@click.argument("language_model", metavar="LM")
@click.option("--out", "--output", "output", type=path, required=True, metavar="FOLDER", help="Where the result goes.")
@click.option("--imputer", metavar="MODEL", help="A model in LM's space.  [default: everyword-en, adapted to LM]")
@click.option("--strategy", default="replace", show_default=True, help="replace, linear, add or slash.")
@click.option("--words", default="misspelt", show_default=True, help="misspelt, unknown or split.")
@click.option("--overwrite", is_flag=True, help="Replace a model that is there already.")
def robustify(
    *, language_model: str, output: Path, imputer: str | None, strategy: str, words: str, overwrite: bool
) -> None:
    """Make a language model robust to typos.

    LM is a folder or a hub id of an encoder that transformers loads, with whatever head it has. Nothing is trained and
    no weight is changed. The folder is a plain model to transformers; what makes it robust is loaded by
    everyword.plugins.transformers.from_pretrained.

    \b
    Examples:
      everyword robustify bert-base-uncased --out robust-bert
      everyword robustify my-classifier --out robust-classifier --words unknown
      everyword robustify my-bert --out robust-bert --imputer my-love-for-bert --strategy slash
    """
    write_robust(language_model, imputer, output, strategy=strategy, words=words, overwrite=overwrite)
    click.echo(
        f"{output} is robust. Load it:  from everyword.plugins.transformers import from_pretrained; "
        f"from_pretrained({str(output)!r})"
    )
