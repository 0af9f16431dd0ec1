"""Speed and size of the tagger, for its page."""

from __future__ import annotations

from record import read
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
