"""Trees in the vectors of words, and two models item by item: the tables of their pages."""

from __future__ import annotations

from typing import Any

from record import read, read_study
from tables import table

MOST = 4
"""Lines of parts, labels and words in a comparison."""


def with_scores(result: dict[str, Any]) -> dict[str, Any]:
    """Return a study without rows and columns that have no score at all."""
    rows = [row for row in result["variants"] if any(score is not None for score in row["ours"].values())]
    names = [name for name in rows[0]["ours"] if any(row["ours"][name] is not None for row in rows)]
    return {**result, "variants": [{**row, "ours": {name: row["ours"][name] for name in names}} for row in rows]}


def extremes() -> str:
    """Return what the easiest and the hardest sentences look like."""
    found = read_study("ancestor-constituents")["details"]["extremes"]
    names = list(found["easiest"])
    rows = [(name, *(f"{found[side][name]:,}" for side in ("easiest", "hardest"))) for name in names]
    return table(("of the language model, great-grandparent", "easiest", "hardest"), rows)


def against_the_word() -> str:
    """Return how far each row is above the word alone, with the probability that it is chance."""
    found = read_study("ancestor-constituents")["details"]["against the word alone"]
    labels = list(next(iter(found.values())))
    rows = [(label, *(_difference(found[level][label]) for level in found)) for label in labels]
    return table(("above the word alone (p, adjusted by Holm)", *found), rows)


def _difference(one: dict[str, float]) -> str:
    p = "< 0.001" if one["p"] < 0.001 else f"{one['p']:.3f}"
    return f"{one['difference']:+.1f} ({p})"


def comparison() -> str:
    """Return a comparison of two models."""
    result = read("compare-results")
    rows, lines = [], []
    for one in result["comparisons"]:
        found = one["found"]
        difference, low, high, p = found["difference"]
        chance = "< 0.001" if p < 0.001 else f"{p:.3f}"
        rows.append(
            (
                f"`{one['name']}`, {one['metric']}",
                f"{found['n']:,}",
                f"{found['first']:.1f}",
                f"{found['second']:.1f}",
                f"{difference:+.1f} [{low:+.1f}, {high:+.1f}]",
                chance,
                _r(found.get("label_r") if found.get("labels") else one.get("section_r")),
                _r(found.get("sentence_r")),
            )
        )
        pairs = one["sections"] or found.get("labels", [])
        if pairs:
            shown = ", ".join(f"{name} {first:.0f} : {second:.0f}" for name, _, first, second in pairs[:MOST])
            lines.append(f"- `{one['name']}` differs most in: {shown}.")
    first, second = result["first"], result["second"]
    head = ("", "n", first, second, "difference", "p", "labels or parts alike r", "sentences alike r")
    return f"{first} and {second}:\n\n{table(head, rows)}\n\n" + "\n".join(lines)


def _r(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
