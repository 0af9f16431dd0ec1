"""everyword adapt: a model for one's own vectors, without training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.checks import check_model_folder
from everyword.cli.common.options import model_option
from everyword.cli.common.output import aligned
from everyword.cli.own_vectors import finish, own_vectors_options
from everyword.cli.spaces import a_path, say

if TYPE_CHECKING:
    from everyword.models.model import Model
    from everyword.models.stored import Precision


@click.command()
@click.argument("vectors", type=a_path, metavar="VECTORS")
@model_option
@own_vectors_options
def adapt(
    *,
    vectors: Path,
    model_name: str | None,
    output: Path,
    words: int | None,
    precision: Precision,
    overwrite: bool,
) -> None:
    """Make a model for your own vectors.

    It takes seconds. The model knows the words of the file with the vectors that they have there. Every other word
    gets the vector of another model, mapped into the space of the file by a linear map, which is fitted to the
    words that both know. How near it comes to the true vectors of words that it was not shown is printed, beside
    the mean vector and the word of nearest spelling. Training a model on the file takes longer: everyword train
    --help

    \b
    Examples:
      everyword adapt glove.6B.100d.txt --output my-model
      everyword adapt vectors.bin.gz --words 200000 --precision int8 --output my-model
      everyword nearest mispelling --model my-model
    """
    check_model_folder(output, overwrite)

    from everyword.models.adapt.adapting import adapt as make_adapted

    model = make_adapted(vectors, model_name, words=words, precision=precision, name=output.name, scores=True, tell=say)
    click.echo(aligned(_summary(model)))
    finish(model, output)


def _summary(model: Model) -> list[tuple[str, str]]:
    record = model.record
    adaptation = record["adaptation"]
    return [
        ("known words", f"{len(model.known_words):,}, of dimension {model.dim}"),
        (f"shared with {adaptation['base']}", f"{adaptation['shared_words']:,}"),
        ("ridge", f"{adaptation['ridge']:g}"),
        *((row["what"], f"{row['score']}, n = {row['n']:,}") for row in record["scores"]["rows"]),
    ]
