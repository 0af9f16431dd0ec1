"""How soon each view of the playground is painted, and how much a browser loads for it.

    python benchmarks/page.py     # two minutes; needs chromium and chromedriver

Each view is opened several times, each time by a new browser with nothing in its cache, from `everyword serve` on the
same machine. The numbers are the browser's own, from its Performance API.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from typing import Any

import click
from record import RESULTS, keep

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from web.browser import browser
from web.running import as_a_command

from everyword.web.views import VIEWS

BAR_SECONDS, BAR_BYTES = 0.5, 150_000
SIZE = (1280, 900)
ANSWERED = (
    "return Boolean(document.querySelector('#answer:not([hidden], [aria-busy])') ?? document.querySelector('details'))"
)
LOADED = """
const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
const sum = (entries) => entries.reduce((total, entry) => total + entry.transferSize, 0);
const [paint] = performance.getEntriesByName("first-contentful-paint");
return {
  first_paint: paint.startTime / 1000,
  answered: Math.max(...loaded.map((entry) => entry.responseEnd)) / 1000,
  bytes: sum(loaded),
  requests: loaded.length,
  hosts: [...new Set(loaded.map((entry) => new URL(entry.name).host))].length,
};
"""


@click.command()
@click.option("--rounds", default=5, show_default=True, help="New browsers per view.")
@click.option("--folder", type=click.Path(path_type=Path), default=RESULTS, help="The folder of saved results.")
def main(rounds: int, folder: Path) -> None:
    """Measure and save."""
    load_before = round(os.getloadavg()[0], 2)
    with as_a_command() as (_, address):
        views = {view.path: summary([visit(address + view.path) for _ in range(rounds)]) for view in VIEWS}
    keep(
        "page",
        {
            "metric": f"of {rounds} new browsers per view: seconds to the first contentful paint and until all of the "
            "first answer has arrived, and the bytes transferred by then",
            "rounds": rounds,
            "cores": os.cpu_count(),
            "load_before": load_before,
            "bar": f"the front page is painted within {BAR_SECONDS} seconds and transfers at most {BAR_BYTES:,} bytes",
            "reached": views["/"]["first_paint"]["worst"] <= BAR_SECONDS and views["/"]["bytes"] <= BAR_BYTES,
            "views": views,
        },
        folder,
    )


def visit(url: str) -> dict[str, Any]:
    """Open a page in a new browser and return what it measured."""
    with browser() as page:
        page.window(*SIZE)
        page.driver.get(url)
        page.until(lambda: page.script(ANSWERED), "the answer")
        found: dict[str, Any] = page.script(LOADED)  # type: ignore[assignment]
    assert found.pop("hosts") == 1, "a view loads from its own service only"
    return found


def summary(visits: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median and the worst of the times, and the largest of the sizes."""
    times = {
        name: {
            "median": round(median(one[name] for one in visits), 3),
            "worst": round(max(one[name] for one in visits), 3),
        }
        for name in ("first_paint", "answered")
    }
    return times | {name: max(one[name] for one in visits) for name in ("bytes", "requests")}


if __name__ == "__main__":
    main()
