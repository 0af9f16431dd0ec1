"""Line charts of what principal components are good for, a line for each table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

TITLE = "What principal components are good for"
CUTS = {"first": "first components", "removed": "top components removed"}
SCORES = {"similarity": "Spearman × 100", "classification": "accuracy, %"}


def draw_components(records: Sequence[Mapping[str, Any]], frame: Frame) -> None:
    """Draw mean scores by number of first components, and by number of removed ones.

    Args:
        records: What `ComponentScores.to_dict` returned, one for each table.
        frame: The file, and perhaps a title and a size.
    """
    draw_curves(component_panels(records), frame, title=TITLE)


def component_panels(records: Sequence[Mapping[str, Any]]) -> list[Panel]:
    """Return a panel for each kind of task and each kind of cut."""
    panels = []
    for kind, score in SCORES.items():
        for cut, label in CUTS.items():
            points = [
                Point(str(record["table"]), float(count), float(value), n=int(task["n"]))
                for record in records
                for task in record["means"]
                if task["kind"] == kind
                for count, value in task[cut].items()
            ]
            if points:
                panels.append(Panel(points, label, f"{score}, mean of {kind}", f"{kind}: {label}"))
    return panels
