"""How long exact CSLS takes, in the page of alignment."""

from __future__ import annotations

from typing import Any

from record import read
from tables import table


def speed() -> str:
    """Return the time and memory of each size."""
    result = read("alignment-speed")
    rows = [_row(part) for part in result["parts"].values()]
    processor = next(iter(result["parts"].values()))["machine"]["processor"]
    head = f"{result['metric']} ({processor}), random vectors of length 1:"
    return head + "\n\n" + table(("words of each side", "rows measured", "seconds of one core", "memory, MB"), rows)


def _row(part: dict[str, Any]) -> tuple[str, ...]:
    seconds = f"{part['processor_s']:.0f}"
    if "processor_s_of_all_rows_estimated" in part:
        seconds += f" (about {part['processor_s_of_all_rows_estimated']:,} for all rows, estimated from these)"
    return (f"{part['words']:,}", f"{part['rows_measured']:,}", seconds, f"{part['peak_memory_mb']:,}")
