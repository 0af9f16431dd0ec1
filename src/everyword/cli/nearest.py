"""everyword nearest: the known words around any word."""

from __future__ import annotations

import json

import click

from everyword.cli.common import options
from everyword.cli.common.streams import Words

Neighbours = list[tuple[str, float]]


@click.command()
@click.argument("words", nargs=-1)
@options.count("-k", "Number of neighbours.", to="--count", default=10)
@options.model
@click.option("--foreign", is_flag=True, help="Show words of other languages too, if the model stores any.")
@options.json_lines
def nearest(words: tuple[str, ...], count: int, model_name: str | None, foreign: bool, as_json: bool) -> None:
    """Show the known words nearest to any word.

    Each word is followed by the source of its vector: known (stored with the model), retrieved (mostly the vectors of
    known words of similar spelling, which "everyword explain" shows), inferred from its own spelling, composed of
    parts, or read as a number, a symbol or another script. Below it are its neighbours by cosine, best first. Without
    arguments, words are read from standard input, one per line.

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
        vectors, (origin,) = model.encode_with_origins([word])
        [found] = model.known_words.nearest(vectors, count, leave_out=[{model.normalise(word)}], foreign=foreign)
        click.echo(show(word, origin.source.value, found))
    source.remark_blank()


def _as_json(word: str, source: str, neighbours: Neighbours) -> str:
    listed = [{"word": other, "cosine": round(cosine, 6)} for other, cosine in neighbours]
    return json.dumps({"word": word, "source": source, "neighbours": listed}, ensure_ascii=False)


def _as_text(word: str, source: str, neighbours: Neighbours) -> str:
    if source == "none":
        return f"{word}: the model knows none of its characters, so it has no vector and no neighbours."
    if not neighbours:
        return f"{word} ({source}): the model stores no words that could be neighbours."
    # Cosines come first: they are equally wide, and the words of some scripts are not.
    return "\n".join([f"{word} ({source})", *(f"  {cosine:6.3f}  {other}" for other, cosine in neighbours)])
