"""The pages of principal components and of smaller tables: their pictures, from saved results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from record import RESULTS, read_study

from everyword.space.change import QUERIES
from everyword.studies.plots.components import CUTS, TITLE, component_panels
from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

COMPONENTS = RESULTS / "components"
TABLES = {"glove": "GloVe", "skip-gram": "skip-gram"}
ALL_WORDS = "glove-6b-all-words"
"""The same table with components fitted to all its words, for a remark on the page."""
PAIRS = 10_657
"""Of the six similarity sets."""
PRUNED = re.compile(r"prune (\d+) %(.*)")
SIZES = {
    "prune": "prune by magnitude",
    "pca": "pca",
    "pca, int8": "pca, int8",
    "pq": "pq",
    "precision": "float16, int8, int4",
}


def draw(pictures: Path) -> None:
    """Draw all pictures."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(COMPONENTS.glob("*.json"))]
    records = [record for record in records if record["name"] != ALL_WORDS]
    panels = component_panels(records)
    for cut, name in (("first", "components"), ("removed", "components-removed")):
        chosen = [panel for panel in panels if panel.x_label == CUTS[cut]]
        draw_curves(chosen, Frame(pictures / f"{name}.svg", title=TITLE))
    rows = {row["label"]: row["ours"] for row in read_study("table-pruning")["variants"]}
    for name, title, panel in (
        ("pruning", "What pruning leaves of similarity", _by_share),
        ("shrink", "What is left of neighbours in fewer bytes", _by_size),
    ):
        draw_curves([panel(rows, table) for table in TABLES], Frame(pictures / f"{name}.svg", title=title))


def _by_share(rows: dict[str, dict[str, Any]], table: str) -> Panel:
    whole = rows["float32"][f"spaces/{table} similarity"]
    points = []
    for label, scores in rows.items():
        if found := PRUNED.fullmatch(label):
            series = {"": "prune by magnitude", " at random": "prune at random"}.get(found[2], f"prune{found[2][3:]}")
            points.append(Point(series, float(found[1]), scores[f"spaces/{table} similarity"], n=PAIRS))
    points += [Point(series, 0.0, whole, n=PAIRS) for series in dict.fromkeys(point.series for point in points)]
    return Panel(points, "numbers set to zero, %", "Spearman × 100, mean of six sets", f"{TABLES[table]}: pruning")


def _by_size(rows: dict[str, dict[str, Any]], table: str) -> Panel:
    points = []
    for label, scores in rows.items():
        if (family := _family(label)) is not None:
            size, neighbours = (scores[f"spaces/{table} {column}"] for column in ("size", "neighbours"))
            points.append(Point(family, size, neighbours, n=QUERIES))
    label = f"{TABLES[table]}: all methods"
    return Panel(points, "bytes, % of float32", "of the ten nearest words stay, %", label, log_scale=True)


def _family(label: str) -> str | None:
    if (found := PRUNED.fullmatch(label)) is not None:
        return None if found[2] else SIZES["prune"]
    if label.startswith("pca"):
        return SIZES["pca, int8"] if label.endswith("int8") else None if "," in label else SIZES["pca"]
    return SIZES["pq"] if label.startswith("pq") else None if label == "float32" else SIZES["precision"]
