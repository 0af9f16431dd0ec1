"""Tables in Markdown, and the names that stand at their heads."""

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
    """A table with its first column to the left and all others to the right."""
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
