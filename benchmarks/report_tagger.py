"""The tables of the pages about taggers: speed and size, entities of other domains."""

from __future__ import annotations

from typing import Any

from record import read, read_study
from tables import table

MEASURES = ("training", "tagging", "tagging with confidence")


def speed() -> str:
    """Return sentences per second, and the size of the saved file."""
    parts = read("tagger")["parts"]
    rows = []
    for name, part in parts.items():
        where = f"{part['machine']['processor']}, one core" if name == "processor" else name
        note = f" ({part['note']})" if part["note"] else ""
        rows.append((where + note, *(f"{part[measure]:,.0f}" for measure in MEASURES), f"{part['megabytes']:.1f}"))
    return table(("sentences per second", *MEASURES, "MB"), rows)


def columns_of(study: str, measures: tuple[str, ...], targets: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a study with some of its columns, by target and measure."""
    found = read_study(study)
    rows = []
    for row in found["variants"]:
        names = [name for name in row["ours"] if _chosen(name, measures, targets)]
        rows.append({**row, "ours": {name: row["ours"][name] for name in names}})
    return {**found, "variants": rows}


def _chosen(name: str, measures: tuple[str, ...], targets: tuple[str, ...]) -> bool:
    target, _, measure = name.partition("/")[2].partition(" ")
    return measure in measures and (not targets or target in targets)
