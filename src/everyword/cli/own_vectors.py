"""What the commands share that put a user's vectors into a model: their options and how they end."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.spaces import a_path, say

if TYPE_CHECKING:
    from everyword.models.model import Model


def own_vectors_options(command: Callable[..., None]) -> Callable[..., None]:
    """Where to save, how much of the file, and how it is stored."""
    for option in (
        click.option("--overwrite", is_flag=True, help="Replace a model that is there already."),
        click.option(
            "--precision",
            type=click.Choice(["float32", "float16", "int8", "int4"]),
            default="float32",
            show_default=True,
            help="How the vectors are stored; float32 is bit for bit.",
        ),
        click.option("--words", type=click.IntRange(min=1), metavar="N", help="Only the first N words of the file."),
        click.option("--output", type=a_path, required=True, metavar="FOLDER", help="Where the model is saved."),
    ):
        command = option(command)
    return command


def finish(model: Model, output: Path) -> None:
    """Save the model and say how to go on."""
    model.save_pretrained(output)
    say(
        f"wrote a model that knows {len(model.known_words):,} words to {output}. "
        f"Try it:  everyword nearest mispelling --model {shlex.quote(str(output))}"
    )
