"""The tables of classifiers: under typos, and taught by a transformer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from record import read, read_study
from tables import table


def typos() -> str:
    """Return the accuracy of classifiers by the share of misspelt words."""
    found = read("classifier-typos")
    shares = [f"{share:.0%} misspelt" if share else "as written" for share in found["shares"]]
    rows = [
        [name, *(f"{mean:.1f} ± {sd:.1f}" for mean, sd in zip(row["mean"], row["sd"], strict=True))]
        for name, row in found["accuracy"].items()
    ]
    return table(["", *shares], rows)


def distillation(study_table: Callable[[dict[str, Any]], str]) -> dict[str, str]:
    """Return the scores of students and teacher by the share of labels, their gains, and their costs."""
    result = read_study("distillation-full")
    scored = [row for row in result["variants"] if any(score is not None for score in row["ours"].values())]
    columns = [name for name in scored[0]["ours"] if any(row["ours"][name] is not None for row in scored)]
    taught = [row for row in scored if "taught" in row["label"]]
    return {
        "scores": study_table(_only(result, scored, [name for name in columns if "gain" not in name])),
        "gains": study_table(_only(result, taught, [name for name in columns if "gain" in name])),
        "costs": costs(result["details"]["costs"]),
    }


def _only(result: dict[str, Any], rows: list[dict[str, Any]], columns: list[str]) -> dict[str, Any]:
    """Keep some rows and columns of a study."""
    parts = ("ours", "spread", "paper")
    return result | {
        "variants": [row | {part: {name: row[part].get(name) for name in columns} for part in parts} for row in rows]
    }


def costs(found: dict[str, dict[str, float]]) -> str:
    """Return what a student costs: millions of weights, and of operations for a text of average length.

    >>> print(costs({"LR": {"parameters": 1.25, "flops": 2.5, "seconds": 9.0}}))
    |  | million weights | million operations for a text |
    |---|--:|--:|
    | LR | 1.25 | 2.5 |
    """
    rows = [
        [label, f"{one['parameters']:.2f}", f"{one['flops']:,.1f}"]
        for label, one in found.items()
        if "taught" not in label
    ]
    return table(["", "million weights", "million operations for a text"], rows)
