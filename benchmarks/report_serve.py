"""The sections about the service in the docs: under load, and as a page in a browser."""

from __future__ import annotations

from typing import Any

from record import read
from tables import table


def section() -> str:
    """Return how the service performs with many clients."""
    result = read("serve")
    saturated, relaxed, memory = (result[part] for part in ("saturated", "below_saturation", "memory"))
    shared = " that other programs used too" if result["load_before"] > 1 else ""
    text = (
        f"{result['clients']} clients at the same time, {result['words_per_request']} words per request, half of them "
        f"misspelt, {result['seconds']} seconds each; one process, and the clients beside it, on {result['cores']} "
        f"cores ({result['machine']['processor']}){shared}:"
    )
    rows = [
        _row("at full load", saturated),
        _row(f"{relaxed['share']:.0%} of that", relaxed),
    ]
    head = ("", "answered per second", "refused (429)", "other refusals", "median", "p99")
    remark = (
        f"Memory over {memory['requests']:,} requests: {memory['megabytes'][1]:.0f} MB after the first tenth, "
        f"{memory['megabytes'][-1]:.0f} MB after the last."
    )
    return text + "\n\n" + table(head, rows) + "\n\n" + remark


def page() -> str:
    """Return how soon the front page is painted, and how much is loaded for it."""
    result = read("page")
    front, largest = result["views"]["/"], max(view["bytes"] for view in result["views"].values())
    shared = " that other programs used too" if result["load_before"] > 1 else ""
    return (
        f"From the same machine, {result['cores']} cores{shared}, a new browser paints the front page after "
        f"{front['first_paint']['median']:.2f} seconds (the slowest of {result['rounds']}: "
        f"{front['first_paint']['worst']:.2f}) and loads {front['bytes'] / 1000:.0f} kB until the first answer; "
        f"no view loads more than {largest / 1000:.0f} kB (`python benchmarks/page.py`)."
    )


def _row(name: str, part: dict[str, Any]) -> tuple[str, ...]:
    others = sum(times for status, times in part["statuses"].items() if status not in ("200", "429"))
    times = part["milliseconds"]
    return (
        name,
        f"{part['answered_per_second']:.0f}",
        f"{part['statuses'].get('429', 0):,}",
        f"{others:,}",
        f"{times['p50']:.0f} ms",
        f"{times['p99']:.0f} ms",
    )
