"""The sections about the service in the docs: under load, and as a page in a browser."""

from __future__ import annotations

from typing import Any

from record import read
from tables import table


def section() -> str:
    """Return how the service performs with many clients."""
    result = read("serve")
    routes = result["routes"]
    shared = " that other programs used too" if result["load_before"] > 1 else ""
    share = next(iter(routes.values()))["below_saturation"]["share"]
    text = (
        f"{result['clients']} clients at the same time, {result['seconds']} seconds each at full load and at "
        f"{share:.0%} of what that gave; one process, and the clients beside it, on {result['cores']} cores "
        f"({result['machine']['processor']}){shared}. A request has {result['words_per_request']} words, half of them "
        f"misspelt, or {result['texts_per_request']} texts of {result['words_per_text']} words, one of them misspelt:"
    )
    head = ("", "answered per second", "refused (429)", "other refusals", "median", "p99")
    rows = [
        _row(f"`{path}`, {name}", found[part])
        for path, found in routes.items()
        for name, part in (("full load", "saturated"), (f"{share:.0%}", "below_saturation"))
    ]
    return text + "\n\n" + table(head, rows) + "\n\n" + _memory(routes)


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


def _memory(routes: dict[str, Any]) -> str:
    requests = next(iter(routes.values()))["memory"]["requests"]
    found = [
        f"`{path}` {part['memory']['megabytes'][1]:.0f} and {part['memory']['megabytes'][-1]:.0f} MB"
        for path, part in routes.items()
    ]
    return f"Memory after the first tenth and after the last of {requests:,} requests: {', '.join(found)}."


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
