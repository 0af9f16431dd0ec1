"""everyword adapt and add-vectors: models that know the words of one's own vector file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder
from everyword.cli.common.group import Command
from everyword.cli.common.output import aligned, say, say_saved_model

if TYPE_CHECKING:
    from everyword.models.model import Model
    from everyword.vectors.storage.quantising import KnownPrecision

own_vectors_options = options.together(
    options.output_folder("Folder to save the model to."),
    options.count("--limit", "Only the first N words of the file."),
    options.choice(
        "--precision",
        ["float32", "float16", "int8", "int4", "pq"],
        "Precision of stored vectors; float32 keeps them bit for bit, pq needs the least space: 64 bytes a word.",
        default="float32",
    ),
    options.overwrite,
)


@click.command(cls=Command, old_options={"--words": "--limit"})
@click.argument("vectors", type=options.PATH, metavar="VECTORS")
@options.model
@own_vectors_options
def adapt(
    *,
    vectors: Path,
    model_name: str | None,
    output: Path,
    limit: int | None,
    precision: KnownPrecision,
    overwrite: bool,
) -> None:
    """Make a model for your own vectors in seconds.

    The model knows the words of the file VECTORS with the vectors that they have there. Every other word gets its
    vector from --model by a linear map into the space of the file, fitted to the words that both know. To train a
    model on the file instead, which takes longer, see "everyword train --help".

    \b
    Examples:
      everyword adapt glove.6B.100d.txt --output my-model
      everyword adapt vectors.bin.gz --limit 200000 --precision int8 --output my-model
      everyword nearest mispelling --model my-model
    """
    check_folder(output, overwrite)

    from everyword.models.adapt.adapting import adapt as make_adapted

    model = make_adapted(
        vectors, model_name, words=limit, precision=precision, name=output.name, scores=True, report=say
    )
    click.echo(aligned(_summary(model)))
    model.save_pretrained(output)
    say_saved_model(output)


def _summary(model: Model) -> list[tuple[str, str]]:
    record = model.record
    adaptation = record["adaptation"]
    return [
        ("known words", f"{len(model.known_words):,}, of dimension {model.dim}"),
        (f"shared with {adaptation['base']}", f"{adaptation['shared_words']:,}"),
        ("ridge", f"{adaptation['ridge']:g}"),
        *((row["what"], f"{row['score']}, n = {row['n']:,}") for row in record["scores"]["rows"]),
    ]


@click.command("add-vectors", cls=Command, old_options={"--words": "--limit"})
@click.argument("model_name", metavar="MODEL", callback=options.refuse_vector_file)
@click.argument("vectors", type=options.PATH, metavar="VECTORS")
@own_vectors_options
def add_vectors(
    *,
    model_name: str,
    vectors: Path,
    output: Path,
    limit: int | None,
    precision: KnownPrecision,
    overwrite: bool,
) -> None:
    """Store a vector file in a model of its space.

    A model that was trained on a file stores only its first words (store.words) and infers the others. With the whole
    file added it knows them all. Words that the model stores and the file lacks are kept. A model of another space is
    refused.

    \b
    Examples:
      everyword add-vectors my-model vectors.vec --output my-whole-model
      everyword add-vectors my-model later.vec --precision int8 --output my-model-8
    """
    check_folder(output, overwrite)

    from everyword.models.adapt.attaching import attach

    attach(vectors, model_name, words=limit, precision=precision).save_pretrained(output)
    say_saved_model(output)
