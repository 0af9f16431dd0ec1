"""everyword attach: the words of a table into a model of its space."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.checks import check_model_folder
from everyword.cli.own_vectors import finish, own_vectors_options
from everyword.cli.spaces import a_path

if TYPE_CHECKING:
    from everyword.models.stored import Precision


@click.command()
@click.argument("model_name", metavar="MODEL")
@click.argument("vectors", type=a_path, metavar="VECTORS")
@own_vectors_options
def attach(
    *,
    model_name: str,
    vectors: Path,
    output: Path,
    words: int | None,
    precision: Precision,
    overwrite: bool,
) -> None:
    """Store a vector file in a model of its space.

    A model that was trained on a file stores its first words (store.words) and infers the others. With the whole file
    attached it knows them all; words that it stored and the file lacks stay. A model of another space is refused.

    \b
    Examples:
      everyword attach my-model vectors.vec --output my-whole-model
      everyword attach my-model later.vec --precision int8 --output my-model-8
    """
    check_model_folder(output, overwrite)

    from everyword.models.adapt.attaching import attach as make_attached

    finish(make_attached(vectors, model_name, words=words, precision=precision), output)
