"""Scores against the strength of noise, a line for each series: how much is left when words are misspelt?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from everyword.studies.plots.picture import COLOURS, LONGEST_SERIES, MARKERS, Frame, picture, readable
from everyword.studies.plots.points import Curves, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOISE = "What noise leaves of the score"
MOST_TICKS = 12
PANELS_IN_A_ROW = 3
PANEL_SIZE = (3.7, 3.1)
"""Of one of several, in inches."""


def draw(panels: Sequence[Curves], frame: Frame, *, title: str = NOISE) -> None:
    """A line for each series with a band of one standard deviation to each side.

    In a single panel each line is named at its right end; several share one legend, and their height.
    """
    points = [point for panel in panels for point in panel.points]
    names = list(dict.fromkeys(point.series for point in points))
    shared = _shared_beginning(names)
    labels = {name: readable(name.removeprefix(shared), LONGEST_SERIES) for name in names}
    looks = {name: (COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]) for at, name in enumerate(names)}
    of_whom = f" of {shared.rstrip(', ')}, by policy" if shared else f", {len(names)} series"
    title += of_whom
    columns = _columns(panels)
    rows = math.ceil(len(panels) / columns)
    size = (7.5, 4.6) if len(panels) == 1 else (PANEL_SIZE[0] * columns + 1.2, PANEL_SIZE[1] * rows + 0.8)
    with picture(frame, title=title, caption=_caption(points), size=size) as figure:
        shared_scale = _alike_in_rows(panels, columns)
        grid = figure.subplots(rows, columns, squeeze=False, sharey="row" if shared_scale else False).flatten()
        for axes, panel in zip(grid, panels, strict=False):
            _draw_panel(axes, panel, looks, labels)
            if shared_scale and not axes.get_subplotspec().is_first_col():
                axes.set_ylabel("")
        for axes in grid[len(panels) :]:
            axes.set_axis_off()
        if len(panels) == 1:
            _name_ends(figure, _ends(panels[0], looks, labels))
        else:
            _legend(grid[columns - 1], figure, looks, labels)


def _draw_panel(axes: Axes, panel: Curves, looks: dict[str, tuple[str, str]], labels: dict[str, str]) -> None:
    for name, points in _by_series(panel).items():
        colour, marker = looks[name]
        strengths, scores = [point.strength for point in points], [point.score for point in points]
        low = [point.score - (point.spread or 0) for point in points]
        high = [point.score + (point.spread or 0) for point in points]
        axes.fill_between(strengths, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(strengths, scores, color=colour, marker=marker, markersize=5, label=labels[name])
    if panel.doubling:
        axes.set_xscale("log", base=2)
    every = sorted({point.strength for point in panel.points})
    if len(every) <= MOST_TICKS:
        axes.set_xticks(every, [panel.steps[int(at)] if panel.steps else f"{at:g}" for at in every])
    axes.set_title(readable_axis(panel.title), size=9.5, loc="left")
    axes.set_xlabel(readable_axis(panel.noise))
    axes.set_ylabel(readable_axis(panel.score))


def _columns(panels: Sequence[Curves]) -> int:
    """As many as one score has panels, so that the corruptions of a task stand side by side; else as many as fit."""
    counts = {sum(panel.score == other.score for other in panels) for panel in panels}
    alike = counts.pop()
    return alike if not counts and 1 < alike <= PANELS_IN_A_ROW else min(len(panels), PANELS_IN_A_ROW)


def _alike_in_rows(panels: Sequence[Curves], columns: int) -> bool:
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    return all(len({panel.score for panel in row}) == 1 for row in rows)


def _by_series(panel: Curves) -> dict[str, list[Point]]:
    series: dict[str, list[Point]] = {point.series: [] for point in panel.points}
    for point in sorted(panel.points, key=lambda point: point.strength):
        series[point.series].append(point)
    return series


def _shared_beginning(names: Sequence[str]) -> str:
    """The model, where all series are of one: what they all begin with, up to the first comma.

    >>> _shared_beginning(["love-en, zero", "love-en, infer"]), _shared_beginning(["one", "one, two"])
    ('love-en, ', '')
    """
    first = names[0].partition(", ")[0] + ", "
    return first if len(names) > 1 and all(name.startswith(first) for name in names) else ""


def _legend(corner: Axes, figure: Figure, looks: dict[str, tuple[str, str]], labels: dict[str, str]) -> None:
    """One for all panels, right of the last one of the first row."""
    lines = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
    handles = [lines[labels[name]] for name in looks]
    corner.legend(handles, [labels[name] for name in looks], loc="upper left", bbox_to_anchor=(1.02, 1))


def readable_axis(name: str) -> str:
    """The name of an axis, on one line."""
    return " ".join("".join(character if character.isprintable() else " " for character in name).split())


def _ends(
    panel: Curves, looks: dict[str, tuple[str, str]], labels: dict[str, str]
) -> list[tuple[float, float, str, str]]:
    return [
        (points[-1].strength, points[-1].score, labels[name], looks[name][0])
        for name, points in _by_series(panel).items()
    ]


def _name_ends(figure: Figure, ends: Sequence[tuple[float, float, str, str]]) -> None:
    """Names right of the last points, pushed apart where they would overlap."""
    axes = figure.axes[0]
    figure.draw_without_rendering()
    pixels = figure.dpi / 72
    ordered = sorted(ends, key=lambda end: end[1])
    line_height = 12.0
    natural = [float(axes.transData.transform((0, score))[1]) / pixels for _, score, _, _ in ordered]
    heights = _apart(natural, line_height)
    for (strength, score, name, colour), height, own in zip(ordered, heights, natural, strict=True):
        axes.annotate(
            name, (strength, score), xytext=(8, height - own), textcoords="offset points",
            va="center", color=colour, size=8.5, annotation_clip=False,
        )  # fmt: skip


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Rising heights, moved as little as keeps a gap between neighbours: groups that touch share their middle.

    >>> _apart([0.0, 1.0, 50.0], 10)
    [-4.5, 5.5, 50.0]
    """
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and _spread_out(groups[-2], gap)[-1] + gap > _spread_out(groups[-1], gap)[0]:
            groups[-2:] = [groups[-2] + groups[-1]]
    moved = [height for group in groups for height in _spread_out(group, gap)]
    assert all(above - below > gap - 1e-6 for below, above in pairwise(moved))
    return moved


def _spread_out(group: Sequence[float], gap: float) -> list[float]:
    middle = sum(group) / len(group)
    return [middle + (place - (len(group) - 1) / 2) * gap for place in range(len(group))]


def _caption(points: Sequence[Point]) -> str:
    counts = sorted({point.n for point in points if point.n is not None})
    if not counts:
        items = "n is not given"
    else:
        items = f"n = {counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "") + " items behind each score"
        if any(point.n is None for point in points):
            items += " that says so"
    band = "; bands are one standard deviation" if any(point.spread for point in points) else ""
    return f"{items}{band}."
