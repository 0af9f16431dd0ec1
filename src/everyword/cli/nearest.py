"""everyword nearest: the known words around any word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from everyword.cli.common.options import json_option, model_option
from everyword.cli.common.streams import Words

if TYPE_CHECKING:
    from everyword.models.model import Model

Neighbours = list[tuple[str, float]]


@click.command()
@click.argument("words", nargs=-1)
@click.option("-k", "--count", type=click.IntRange(min=1), default=10, show_default=True, help="How many neighbours.")
@model_option
@json_option
def nearest(words: tuple[str, ...], count: int, model_name: str | None, as_json: bool) -> None:
    """Show the known words nearest to any word.

    For each word, whether its vector is known (stored with the model), retrieved (mostly that of known words of similar
    spelling; `everyword explain` tells which) or inferred from its own spelling, then its neighbours by cosine, best
    first. Without arguments, words are read from standard input, one a line.

    \b
    Examples:
      everyword nearest mispelling
      everyword nearest -k 3 leukamia covfefe
      cat words.txt | everyword nearest --json
    """
    from everyword.models.load import load

    source = Words(words)
    model = load(model_name)
    show = _as_json if as_json else _as_text
    for word in source:
        click.echo(show(model, word, model.nearest(word, count)))
    if source.blank:
        click.echo(f"skipped {source.blank:,} blank", err=True)


def _as_json(model: Model, word: str, neighbours: Neighbours) -> str:
    listed = [{"word": other, "cosine": round(cosine, 6)} for other, cosine in neighbours]
    record = {"word": word, "source": model.source(word).value, "neighbours": listed}
    return json.dumps(record, ensure_ascii=False)


def _as_text(model: Model, word: str, neighbours: Neighbours) -> str:
    from everyword.models.explanation import Source

    source = model.source(word)
    if source is Source.NONE:
        return f"{word}: the model knows no character of it, so it has no vector and no neighbours."
    if not neighbours:
        return f"{word} ({source.value}): the model stores no words that could be its neighbours."
    # Cosines come first: they are equally wide, and the words of some scripts are not.
    return "\n".join([f"{word} ({source.value})", *(f"  {cosine:6.3f}  {other}" for other, cosine in neighbours)])
