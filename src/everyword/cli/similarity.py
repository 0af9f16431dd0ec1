"""everyword similarity: how close two words are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.streams import read_lines, refuse_terminal, stripped, valid_text
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.models.model import Model


@click.command()
@click.argument("pair", nargs=-1, metavar="[FIRST SECOND]")
@options.model
@options.json_lines
def similarity(pair: tuple[str, ...], model_name: str | None, as_json: bool) -> None:
    """Show the cosine of two words.

    Each word is followed by the source of its vector, such as known, retrieved or composed. If a word has no vector,
    the cosine is 0. Without arguments, pairs are read from standard input: two words per line with a tab between them.
    Blank lines are skipped.

    \b
    Examples:
      everyword similarity leukamia leukemia
      everyword similarity "new york" london --json
      everyword similarity < pairs.tsv
    """
    from everyword.models.load import load

    if len(pair) not in (0, 2):
        raise click.UsageError(f"Give two words, or pairs on standard input. Got {len(pair)} instead.")
    if not pair:
        refuse_terminal("Give two words, or pairs on standard input.")
    model = load(model_name)
    show = _as_json if as_json else _as_text
    for first, second in [(valid_text(pair[0]), valid_text(pair[1]))] if pair else _read_pairs():
        click.echo(show(first, second, *_compare(model, first, second)))


def _read_pairs() -> Iterator[tuple[str, str]]:
    for number, line in read_lines():
        columns = [stripped(column) for column in line.split("\t")]
        if columns == [""]:
            continue
        if len(columns) != 2:
            raise InputError(
                f"standard input:{number}: a line needs two words with a tab between them. Got {line.strip()[:60]!r}."
            )
        yield columns[0], columns[1]


def _compare(model: Model, first: str, second: str) -> tuple[float, list[str]]:
    """Return the cosine of two words and the sources of their vectors; each vector is made once."""
    import numpy as np

    from everyword.vectors.neighbours import unit_rows

    vectors, origins = model.encode_with_origins([first, second])
    one, other = unit_rows(vectors)
    return float(np.clip(one @ other, -1.0, 1.0)), [origin.source.value for origin in origins]


def _as_json(first: str, second: str, cosine: float, sources: list[str]) -> str:
    record = {"first": first, "second": second, "sources": sources, "cosine": round(cosine, 6)}
    return json.dumps(record, ensure_ascii=False)


def _as_text(first: str, second: str, cosine: float, sources: list[str]) -> str:
    labels = ["no vector" if source == "none" else source for source in sources]
    return f"{cosine:6.3f}  {first} ({labels[0]})  {second} ({labels[1]})"
