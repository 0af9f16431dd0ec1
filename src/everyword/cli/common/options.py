"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable

import click

model_option = click.option(
    "--model",
    "model_name",
    metavar="NAME_OR_FOLDER",
    help="An embedded model, a folder or a hub id such as user/model.  [default: the embedded one]",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")

device_option = click.option(
    "--device", default="auto", show_default=True, metavar="auto|cpu|cuda", help="Where to compute."
)


def computing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Where a language model computes, and how exactly."""
    precision = click.option(
        "--precision",
        type=click.Choice(["float32", "bfloat16"]),
        help="Of the language model.  [default: bfloat16 on a GPU, else float32]",
    )
    return device_option(precision(command))
