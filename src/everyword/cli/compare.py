"""everyword table: kept results side by side."""

from __future__ import annotations

import json
from pathlib import Path

import click

from everyword.cli.evaluate import DEFAULT_RESULTS
from everyword.errors import InputError


@click.command()
@click.argument("places", nargs=-1, type=click.Path(path_type=Path), metavar="[RESULTS]...")
@click.option("--markdown", is_flag=True, help="Print a Markdown table with a row for each model.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def table(places: tuple[Path, ...], markdown: bool, as_json: bool) -> None:
    """Show kept results side by side.

    RESULTS are folders that "everyword evaluate" filled, or single files of them; "results" if none is given. A mean
    stands only where a model has all its parts, and leaves out sets that are part of another one. Scores of two
    versions of a task never share a column.

    \b
    Examples:
      everyword table
      everyword table results other-results --markdown
      everyword table --json > scores.json
    """
    from everyword.evaluation.results import read_all
    from everyword.evaluation.scoreboard import FORMS, as_record, board

    if markdown and as_json:
        raise click.UsageError("Choose --markdown or --json, not both.")
    kept = read_all(places or (Path(DEFAULT_RESULTS),))
    if not kept:
        raise InputError(f"There are no results in {', '.join(map(str, places)) or DEFAULT_RESULTS}.")
    side_by_side = board(kept)
    if as_json:
        click.echo(json.dumps(as_record(side_by_side), indent=2, ensure_ascii=False))
    else:
        click.echo(FORMS["markdown" if markdown else "plain"](side_by_side))
