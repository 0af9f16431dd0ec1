"""Scores against the number of sentences, a line for each way: how much does one more sentence tell of a rare word?"""

from __future__ import annotations

from collections.abc import Sequence

from everyword.errors import InputError
from everyword.evaluation.results import Result
from everyword.evaluation.scoreboard import row_of
from everyword.studies.plots import curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Curves, Point

TITLE = "What sentences tell of a rare word"


def draw(results: Sequence[Result], frame: Frame) -> None:
    """A panel for each task that counts sentences, from its scores such as "spearman@4"."""
    tasks = sorted({(result.task, result.version, result.data) for result in results if _points(result)})
    if not tasks:
        raise InputError(
            "These results have no score by number of sentences; run 'everyword evaluate --tasks "
            "context-similarity,chimera' first."
        )
    panels = [
        Curves(
            [point for r in results if (r.task, r.version, r.data) == which for point in _points(r)],
            noise="sentences",
            score="Spearman × 100",
            title=f"{which[0]}/{which[2]}",
            doubling=True,
        )
        for which in tasks
    ]
    curves.draw(panels, frame, title=TITLE)


def _points(result: Result) -> list[Point]:
    counted = {name: name.partition("@")[2] for name in result.scores if name.startswith(f"{result.main}@")}
    return [
        Point(row_of(result), float(count), value, result.spread.get(name), result.n)
        for name, count in counted.items()
        if count.isdigit() and (value := result.scores[name]) is not None
    ]
