"""Tables in Markdown, and the titles of their columns."""

from __future__ import annotations

from collections.abc import Iterable

TITLES = {
    "rareword": "RareWord",
    "men3000": "MEN",
    "simlex999": "SimLex",
    "wordsim353_rel": "WS-rel",
    "simverb3500": "SimVerb",
    "mturk771": "MTurk",
}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table whose first column is left-aligned and all others right-aligned."""
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
