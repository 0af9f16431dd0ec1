"""Options that several commands share."""

from __future__ import annotations

import click

model_option = click.option(
    "--model",
    "model_name",
    metavar="NAME_OR_FOLDER",
    help="An embedded model, a folder or a hub id such as user/model.  [default: the embedded one]",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")
