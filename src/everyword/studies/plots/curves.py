"""Line charts of scores, a line for each series: against the strength of noise, or the number of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log2
from typing import TYPE_CHECKING

from everyword.studies.plots.picture import COLOURS, LONGEST_SERIES, MARKERS, Frame, panels, picture, readable
from everyword.studies.plots.points import Panel, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOISE = "What noise leaves of the score"
SENTENCES = "What sentences reveal about a rare word"
MOST_TICKS = 12
MOST_COLUMNS = 3
PANEL_SIZE = (3.7, 3.1)
"""The size of one of several panels, in inches."""
LINE_HEIGHT = 12.0
"""Of the names at the ends of lines, in points of type."""
Styles = Mapping[str, tuple[str, str, str]]
"""The colour, the marker and the label of each series."""


def draw_curves(content: Sequence[Panel], frame: Frame, *, title: str = NOISE) -> None:
    """Draw a line for each series, with a band of one standard deviation to each side.

    In a single panel each line is named at its right end; several panels share one legend.

    Args:
        content: The points and axis labels of each panel.
        frame: The file, and perhaps a title and a size.
        title: The beginning of the default title; what the series have in common follows.
    """
    points = [point for panel in content for point in panel.points]
    names = list(dict.fromkeys(point.series for point in points))
    shared = _shared_beginning(names)
    styles = {
        name: (
            COLOURS[index % len(COLOURS)],
            MARKERS[index % len(MARKERS)],
            readable(name.removeprefix(shared), LONGEST_SERIES),
        )
        for index, name in enumerate(names)
    }
    title += f" of {shared.rstrip(', ')}, by policy" if shared else f", {len(names)} series"
    columns = _columns(content)
    rows = -(-len(content) // columns)
    size = (7.5, 4.6) if len(content) == 1 else (PANEL_SIZE[0] * columns + 1.2, PANEL_SIZE[1] * rows + 0.8)
    with picture(frame, title=title, caption=_caption(points), size=size) as figure:
        # Panels side by side share their scale if they show the same score.
        by_row = [content[start : start + columns] for start in range(0, len(content), columns)]
        same = all(len({panel.y_label for panel in row}) == 1 for row in by_row)
        grid = panels(figure, len(content), columns, sharey="row" if same else False)
        for index, (axes, panel) in enumerate(zip(grid, content, strict=True)):
            _draw_panel(axes, panel, styles)
            if same and index % columns:
                axes.set_ylabel("")
        if len(content) == 1:
            _name_ends(figure, content[0], styles)
        else:
            _legend(grid[columns - 1], figure, styles)


def _draw_panel(axes: Axes, panel: Panel, styles: Styles) -> None:
    for name, points in _by_series(panel).items():
        colour, marker, label = styles[name]
        strengths, scores = [point.strength for point in points], [point.score for point in points]
        low = [point.score - (point.spread or 0) for point in points]
        high = [point.score + (point.spread or 0) for point in points]
        axes.fill_between(strengths, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(strengths, scores, color=colour, marker=marker, markersize=5, label=label)
    if panel.log_scale:
        axes.set_xscale("log", base=2)
    every = sorted({point.strength for point in panel.points})
    if len(every) <= MOST_TICKS:
        axes.set_xticks(every, [panel.tick_names[int(at)] if panel.tick_names else f"{at:g}" for at in every])
    elif panel.log_scale:  # matplotlib would write powers as formulas
        doubled = [2.0**power for power in range(floor(log2(every[0])), ceil(log2(every[-1])) + 1)]
        axes.set_xticks(doubled, [f"{at:g}" for at in doubled])
    axes.set_title(_one_line(panel.title), size=9.5, loc="left")
    axes.set_xlabel(_one_line(panel.x_label))
    axes.set_ylabel(_one_line(panel.y_label))


def _columns(content: Sequence[Panel]) -> int:
    """Return as many columns as a score has panels, so that the corruptions of a task are one row; else what fits."""
    counts = {sum(panel.y_label == other.y_label for other in content) for panel in content}
    first = counts.pop()
    return first if not counts and 1 < first <= MOST_COLUMNS else min(len(content), MOST_COLUMNS)


def _by_series(panel: Panel) -> dict[str, list[Point]]:
    series: dict[str, list[Point]] = {point.series: [] for point in panel.points}
    for point in sorted(panel.points, key=lambda point: point.strength):
        series[point.series].append(point)
    return series


def _shared_beginning(names: Sequence[str]) -> str:
    """Return the model that all series share: what they all begin with, up to the first comma.

    >>> _shared_beginning(["love-en, zero", "love-en, infer"]), _shared_beginning(["one", "one, two"])
    ('love-en, ', '')
    """
    first = names[0].partition(", ")[0] + ", "
    return first if len(names) > 1 and all(name.startswith(first) for name in names) else ""


def _legend(corner: Axes, figure: Figure, styles: Styles) -> None:
    """Add one legend for all panels, right of the last panel of the first row."""
    lines = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
    labels = [label for _, _, label in styles.values()]
    corner.legend([lines[label] for label in labels], labels, loc="upper left", bbox_to_anchor=(1.02, 1))


def _one_line(text: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _name_ends(figure: Figure, panel: Panel, styles: Styles) -> None:
    """Write the names of the series right of their last points, pushed apart where they would overlap."""
    axes = figure.axes[0]
    figure.draw_without_rendering()
    pixels = figure.dpi / 72
    ends = sorted(((name, points[-1]) for name, points in _by_series(panel).items()), key=lambda end: end[1].score)
    natural = [float(axes.transData.transform((0, last.score))[1]) / pixels for _, last in ends]
    for (name, last), height, own in zip(ends, _apart(natural, LINE_HEIGHT), natural, strict=True):
        colour, _, label = styles[name]
        axes.annotate(
            label, (last.strength, last.score), xytext=(8, height - own), textcoords="offset points",
            va="center", color=colour, size=8.5, annotation_clip=False,
        )  # fmt: skip


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Move rising heights as little as keeps a gap between neighbours: groups that touch share their middle.

    >>> _apart([0.0, 1.0, 50.0], 10)
    [-4.5, 5.5, 50.0]
    """
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and _spread_out(groups[-2], gap)[-1] + gap > _spread_out(groups[-1], gap)[0]:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [height for group in groups for height in _spread_out(group, gap)]


def _spread_out(group: Sequence[float], gap: float) -> list[float]:
    middle = sum(group) / len(group)
    return [middle + (index - (len(group) - 1) / 2) * gap for index in range(len(group))]


def _caption(points: Sequence[Point]) -> str:
    counts = sorted({point.n for point in points if point.n is not None})
    parts = []
    if counts:
        items = f"n = {counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "") + " items behind each score"
        parts.append(items + (" where n is given" if any(point.n is None for point in points) else ""))
    if any(point.spread for point in points):
        parts.append("bands are one standard deviation")
    caption = "; ".join(parts)
    return f"{caption[0].upper() if not counts else caption[0]}{caption[1:]}." if caption else ""
