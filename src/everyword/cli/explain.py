"""everyword explain: where the vector of a word comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.streams import Words

if TYPE_CHECKING:
    from everyword.models.explanation import Explanation

OWN_SPELLING = "(its own spelling)"
"""Cannot be a known word, because no word has brackets around it and a blank in it."""


@click.command()
@click.argument("words", nargs=-1)
@options.model
@options.json_lines
def explain(words: tuple[str, ...], model_name: str | None, as_json: bool) -> None:
    """Show where a word's vector comes from.

    Each word is followed by the source of its vector: known (stored with the model), retrieved (mostly the vectors of
    known words of similar spelling), inferred (mostly made from its own spelling), composed (of the words of a phrase,
    hashtag or hyphenated word), number, symbol, transliterated (from another script) or none (nothing can be read).
    The confidence is the expected cosine to the true vector. Below are the shares of known words and of the spelling
    in the vector. Without arguments, words are read from standard input, one per line.

    \b
    Examples:
      everyword explain mispelling
      everyword explain suvenear untweetable --model everyword-en
      cat words.txt | everyword explain --json
    """
    from everyword.models.load import load

    source = Words(words)
    model = load(model_name)
    show = _as_json if as_json else _as_text
    for word in source:
        click.echo(show(word, model.explain(word)))
    source.remark_blank()


def _as_json(word: str, explanation: Explanation) -> str:
    confidence = explanation.confidence
    record = {
        "word": word,
        "source": explanation.source.value,
        "confidence": None if confidence is None else round(confidence, 6),
        "candidates": [{"word": part.word, "share": round(part.share, 6)} for part in explanation.candidates],
        "form_share": round(explanation.form_share, 6),
        "read_as": explanation.read_as,
    }
    return json.dumps(record, ensure_ascii=False)


def _as_text(word: str, explanation: Explanation) -> str:
    confidence = explanation.confidence
    sure = "" if confidence is None else f", confidence {confidence:.2f}"
    read = f", read as {explanation.read_as}" if explanation.read_as else ""
    return "\n".join([f"{word} ({explanation.source.value}{read}{sure})", *_parts(explanation)])


def _parts(explanation: Explanation) -> list[str]:
    """List the shares of a vector, the greatest first; a vector that is stored or zero has none."""
    shares = [(part.share, part.word) for part in explanation.candidates]
    if explanation.form_share:
        shares.append((explanation.form_share, OWN_SPELLING))
    # Shares come first: they are equally wide, and the words of some scripts are not.
    return [f"  {share:6.1%}  {word}" for share, word in sorted(shares, key=lambda part: -part[0])]
