"""everyword bertram inject: a language model with vectors of rare words in it, as a folder."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common.injection import write_robust

path = click.Path(path_type=Path)


@click.command()
@click.argument("language_model", metavar="LM")
@click.argument("table", type=path)
@click.option("--out", "--output", "output", type=path, required=True, metavar="FOLDER", help="Where the result goes.")
@click.option(
    "--strategy",
    type=click.Choice(["replace", "slash"]),
    default="slash",
    show_default=True,
    help="The vector instead of the word's pieces, or behind them and a slash.",
)
@click.option("--overwrite", is_flag=True, help="Replace a model that is there already.")
def inject(*, language_model: str, table: Path, output: Path, strategy: str, overwrite: bool) -> None:
    """Put vectors of rare words into a language model.

    LM is a folder or a hub id that transformers loads, with whatever head it has; TABLE a vector file in the space of
    its input vectors, such as "bertram infer" writes. Its words get their vector wherever the tokenizer would cut them
    into pieces; all else stays as it is. The folder is a plain model to transformers; with its vectors it is loaded by
    everyword.plugins.transformers.from_pretrained.

    \b
    Examples:
      everyword bertram inject my-bert rare.vec --out my-robust-bert
      everyword bertram inject my-classifier rare.vec --out my-robust-classifier --strategy replace
    """
    from everyword.vectors.table import VectorTable

    vectors = VectorTable.load(table)
    write_robust(language_model, vectors, output, strategy=strategy, words="split", overwrite=overwrite)
    click.echo(
        f"{len(vectors):,} words have a vector in {output}. Load it:  "
        f"from everyword.plugins.transformers import from_pretrained; from_pretrained({str(output)!r})"
    )
