"""everyword nearest: the known words around any word."""

from __future__ import annotations

import json

import click

from everyword.cli.common import options
from everyword.cli.common.streams import Words
from everyword.errors import InputError

COMBINED_BY = "cross-entropy:direction=from"
Neighbours = list[tuple[str, float]]


@click.command()
@click.argument("words", nargs=-1)
@options.count("-k", "Number of neighbours.", to="--count", default=10)
@options.model
@click.option("--foreign", is_flag=True, help="Show words of other languages too, if the model stores any.")
@options.text("--among", "NAME_OR_FOLDER", "Another model of the same space, whose known words are shown instead.")
@options.text(
    "--combine",
    "EXPRESSION",
    'Instead of words: words with & (and), | (or), - (without) and ~ (not), as in "(rose | violet) - colour".',
)
@options.text(
    "--scorer",
    "NAME:KEY=VALUE",
    "With --combine: how words are compared, as in 'everyword evaluate'.  [default: cross-entropy:direction=from]",
)
@options.json_lines
def nearest(
    words: tuple[str, ...],
    *,
    count: int,
    model_name: str | None,
    foreign: bool,
    among: str | None,
    combine: str | None,
    scorer: str | None,
    as_json: bool,
) -> None:
    """Show the known words nearest to any word.

    Each word is followed by the source of its vector: known (stored with the model), retrieved (mostly the vectors of
    known words of similar spelling, which "everyword explain" shows), inferred from its own spelling, composed of
    parts, or read as a number, a symbol or another script. Below it are its neighbours by cosine, best first. Without
    arguments, words are read from standard input, one per line.

    With --combine, words are sets of features. It shows the words closest to an intersection, a union or a difference,
    with the cross-entropy in nats: lower is closer. Put quotes around terms of several words; - needs blanks around it.

    \b
    Examples:
      everyword nearest mispelling
      everyword nearest -k 3 leukamia covfefe
      everyword nearest Leukamie --model everyword-de --among everyword-en
      cat words.txt | everyword nearest --json
      everyword nearest --combine "noble & metal"
      everyword nearest --combine "leukamia & 'side effect'" --scorer overlap
    """
    from everyword.models.load import load

    if combine is not None:
        if words or foreign or among is not None:
            raise click.UsageError("Give either words or --combine, and --among and --foreign only with words.")
        click.echo(_combined(combine, count, model_name, scorer or COMBINED_BY, as_json))
        return
    if scorer is not None:
        raise click.UsageError("--scorer needs --combine; neighbours of words are found by cosine.")
    source = Words(words)
    model = load(model_name)
    known = model.known_words if among is None else model.known_words_of(load(among))
    show = _as_json if as_json else _as_text
    for word in source:
        vectors, (origin,) = model.encode_with_origins([word])
        own = {model.normalise(word)} if among is None else set[str]()
        [found] = known.nearest(vectors, count, leave_out=[own], foreign=foreign)
        click.echo(show(word, origin.source.value, found))
    source.remark_blank()


def _combined(expression: str, count: int, model_name: str | None, scorer: str, as_json: bool) -> str:
    from everyword.models.load import load
    from everyword.space.expression import words_of
    from everyword.space.fuzzy import FuzzySpace
    from everyword.space.scorer import read_scorer

    compared = read_scorer(scorer)
    if compared is None:
        raise InputError("Combined words have no cosine; choose the scorer cross-entropy, kl, bernoulli-kl or overlap.")
    words = words_of(expression)
    model = load(model_name)
    space = FuzzySpace(model, normalise=compared.normalise, base=compared.base, unit=compared.unit)
    found = space.closest(expression, compared, count)
    if as_json:
        listed = [{"word": word, compared.measure: round(value, 9)} for word, value in found]
        return json.dumps({"expression": expression, "scorer": str(compared), "neighbours": listed}, ensure_ascii=False)
    sources = ", ".join(f"{word} ({source.value})" for word, source in zip(words, model.source(words), strict=True))
    return "\n".join([f"{expression}: {sources}", *(f"  {value:9.4g}  {word}" for word, value in found)])


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
