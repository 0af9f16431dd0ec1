"""The page of attacks: its tables and its picture, from the saved study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from record import read_study
from tables import table

from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

POLICIES = {
    "encode": "everyword",
    "zero": "zeros",
    "mean": "UNK",
    "pieces": "pieces",
    "spelling": "nearest spelling",
}
SETS = {"sst2": "SST-2", "agnews": "AG News", "mrpc": "MRPC"}
DRAWN = ("encode", "zero", "pieces")
"""The policies in the picture; the others are in the tables."""
LARGEST = 0.1
"""The largest radius that is drawn: nothing survives the worst case beyond."""
SMALLEST = 0.01
"""Smaller radii would be too close together."""
BESIDE = ("original", "random", "worst", "best", "repaired original", "repaired worst", "repaired best")


def sections() -> dict[str, str]:
    """Return the generated parts of the page."""
    rows = {row["label"]: row for row in read_study("names")["variants"]}
    columns = list(next(iter(rows.values()))["ours"])
    return {
        "names": _beside(rows, [name for name in columns if name.startswith("names/")]),
        "policies": "\n\n".join(
            f"{title}\n\n{_by_policy(rows, [name for name in columns if name.startswith(kind)], measure)}"
            for title, kind, measure in (
                (
                    "**Unchanged**: all 50 names give the prediction of the original name, % of texts.",
                    "names/",
                    "unchanged",
                ),
                ("**Stable**: all 50 names give the same prediction, % of texts.", "names/", "stable"),
                ("**Worst** of 50 names: accuracy, F1 for MRPC.", "names/", "worst"),
                ("**Worst** of 50 misspellings of one word: accuracy, F1 for MRPC.", "typos/", "worst"),
                ("**Unchanged** by all 50 misspellings of one word, % of texts.", "typos/", "unchanged"),
            )
        ),
        "radius": _radius(),
    }


def _name(column: str) -> str:
    kind, _, rest = column.partition("/")
    part, *others = rest.split()
    return f"{SETS[part]}, " + ("one word" if kind == "typos" else f"{others[0]}, {others[1]}")


def _cell(row: dict[str, Any], column: str) -> str:
    ours, spread = row["ours"].get(column), row["spread"].get(column)
    return "–" if ours is None else f"{ours:.1f}" + (f" ± {spread:.1f}" if spread else "")


def _beside(rows: dict[str, dict[str, Any]], columns: Sequence[str]) -> str:
    lines = [(_name(name), *(_cell(rows[f"everyword: {measure}"], name) for measure in BESIDE)) for name in columns]
    return table(("everyword-en", *BESIDE), lines)


def _by_policy(rows: dict[str, dict[str, Any]], columns: Sequence[str], measure: str) -> str:
    lines = [
        (_name(name), *(_cell(rows[f"{label}: {measure}"], name) for label in POLICIES.values())) for name in columns
    ]
    return table(("", *POLICIES.values()), lines)


def _radius() -> str:
    curves = read_study("names")["details"]["curves"]
    lines = [
        (SETS[name], *(f"{by_policy[policy]['typo radius']:.2f}" for policy in POLICIES))
        for name, by_policy in curves.items()
    ]
    return table(("", *POLICIES.values()), lines)


def draw(path: Path) -> None:
    """Draw accuracy by misspelt words, and by noise in vectors."""
    panels = []
    for name, by_policy in read_study("names")["details"]["curves"].items():
        for kind, label in (("typos", "misspelt words, %"), ("noise", "radius, % of a vector's length")):
            points = []
            for policy, found in by_policy.items():
                if policy not in DRAWN:
                    continue
                for strength, random, worst in found[kind]:
                    if kind == "noise" and (strength > LARGEST or 0 < strength < SMALLEST):
                        continue
                    points.append(Point(f"{POLICIES[policy]}, worst", 100 * strength, worst, n=found["n"]))
                    if policy == "encode":
                        points.append(Point(f"{POLICIES[policy]}, random", 100 * strength, random, n=found["n"]))
            panels.append(
                Panel(
                    points,
                    label,
                    "accuracy, %",
                    f"{SETS[name]}: {'misspellings' if kind == 'typos' else 'noise in vectors'}",
                )
            )
    draw_curves(panels, Frame(path, title="Misspellings, and noise in the vectors themselves"))
