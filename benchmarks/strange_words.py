"""Write what the default model makes of each kind of token into docs/strange-words.md.

    python benchmarks/strange_words.py            # rewrite the generated part
    python benchmarks/strange_words.py --check    # exit 1 if tokens, neighbours or sources would change

Tokens and headings are in `strange_words.toml`. --check compares everything but numbers, whose last digit may differ
from one processor to the next.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from report import ROOT, filled
from tables import table

import everyword
from everyword import config
from everyword.models.explanation import Explanation
from everyword.models.model import Model

PAGE = ROOT / "docs" / "strange-words.md"
TOKENS = Path(__file__).with_name("strange_words.toml")
NEIGHBOURS = 5
NUMBER = re.compile(r"(?<= )(?:-?\.\d\d|1\.00|\d+ %)")
"""A cosine, a confidence or a share, as the page shows it."""


@click.command()
@click.option("--model", default=None, help="A name or a folder; the embedded default if not given.")
@click.option("--check", is_flag=True, help="Change nothing; fail if something is out of date.")
def main(model: str | None, check: bool) -> None:
    """Bring the page up to date."""
    kinds = config.read_toml(TOKENS)["kinds"]
    before = PAGE.read_text(encoding="utf-8")
    after = filled(PAGE, {"kinds": render(everyword.load(model), kinds)})
    stale = NUMBER.sub("", before) != NUMBER.sub("", after) if check else before != after
    if stale:
        print(("out of date: " if check else "rewritten: ") + str(PAGE.relative_to(ROOT)))
    if stale and not check:
        PAGE.write_text(after, encoding="utf-8", newline="\n")
    sys.exit(1 if check and stale else 0)


def render(model: Model, kinds: list[dict[str, Any]]) -> str:
    """Return a heading, a paragraph and a table for each kind."""
    head = f"What `{model.name}` makes of them, from `benchmarks/strange_words.py`:"
    blocks = [head]
    for kind in kinds:
        columns = ("token", "nearest words", "source", "confidence", "read as")
        text = table(columns, rows(model, kind["tokens"])).replace("--:", "---")
        blocks.append(f"### {kind['title']}\n\n{kind['about']}\n\n{text}")
    return "\n\n".join(blocks)


def rows(model: Model, tokens: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each token."""
    for token, near, said in zip(tokens, model.nearest(tokens, NEIGHBOURS), model.explain(tokens), strict=True):
        words = ", ".join(f"{word} {short(cosine)}" for word, cosine in near)
        yield (f"`{token}`", words or "–", str(said.source), short(said.confidence), read_as(said))


def read_as(said: Explanation) -> str:
    """Return what a token was read as: said by the model, or the known words with the largest shares."""
    if said.read_as is not None:
        return said.read_as
    largest = [
        f"{share.word} {share.share:.0%}".replace("%", " %") for share in said.candidates[:2] if share.share > 0.1
    ]
    return ", ".join(largest) or "–"


def short(number: float | None) -> str:
    """Return a number with two digits.

    >>> short(0.456), short(1.0), short(-0.03), short(None)
    ('.46', '1.00', '-.03', '–')
    """
    return "–" if number is None else f"{number:.2f}".replace("0.", ".", 1)


if __name__ == "__main__":
    main()
