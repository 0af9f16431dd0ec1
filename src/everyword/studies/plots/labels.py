"""Names beside points, where there is room for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from everyword.extras import require
from everyword.space.projection import Floats
from everyword.studies.plots.picture import readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLACES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Right of the point first, because that is where one reads on."""
DISTANCES = (6.0, 12.0, 20.0)
"""From the point, in points of type; names that are further than the first get a line that says whose they are."""
POINT = 5.0
LINE = 1.5
"""Half the width of what a marker and a line take up, in points of type."""
ALL_ARE_NAMED = 60
"""With more points than this, a name without room is left out."""


def shared_areas(boxes: Floats, others: Floats) -> Floats:
    """The area that each box has in common with each other one; a box is left, bottom, right, top.

    >>> shared_areas(np.array([[0, 0, 4, 2]]), np.array([[3, 1, 9, 9], [4, 0, 9, 9], [1, 1, 2, 2]])).tolist()
    [[1, 0, 1]]
    """
    first = np.maximum(boxes[:, None, :2], others[None, :, :2])
    last = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    areas: Floats = np.clip(last - first, 0, None).prod(axis=2)
    return areas


def name_points(
    figure: Figure, points: Floats, names: Sequence[str], colours: Sequence[str], lines: Sequence[Floats] = ()
) -> int:
    """Write each name beside its point, away from other names, points and lines; the number of names written."""
    axes = figure.axes[0]
    figure.draw_without_rendering()  # settles where the axes are and what they show
    pixels = figure.dpi / 72
    frame = np.array([axes.get_window_extent().extents])
    spots = axes.transData.transform(points)
    taken = np.concatenate(
        [
            _around(spots, POINT * pixels),
            *(_around(_along(axes, line, LINE * pixels), LINE * pixels) for line in lines),
        ]
    )
    written = 0
    for spot, point, name, colour in zip(spots, points, names, colours, strict=True):
        text = axes.annotate(
            readable(name), point, xytext=(0, 0), textcoords="offset points", va="bottom", color=colour, size=8.5
        )
        text.set_in_layout(False)
        size = text.get_window_extent()
        boxes = _choices(spot, size.width, size.height, pixels)
        outside = size.width * size.height - shared_areas(boxes, frame)[:, 0]
        costs = shared_areas(boxes, taken).sum(axis=1) + 10 * outside.round(6)
        best = int(costs.argmin())
        box = boxes[best]
        if costs[best] > 0 and len(names) > ALL_ARE_NAMED:
            text.remove()
            continue
        text.set_position(tuple((box[:2] - spot) / pixels))
        if best >= len(PLACES):
            _lead(axes, spot, box, colour)
        taken = np.concatenate([taken, [box]])
        written += 1
    return written


def _choices(spot: Floats, width: float, height: float, pixels: float) -> Floats:
    """Where a name can stand, the best place first."""
    boxes = []
    for distance in DISTANCES:
        for right, up in PLACES:
            step = distance * pixels * (1.0 if 0 in (right, up) else 0.7)
            left = spot[0] - width / 2 + right * (width / 2 + step)
            bottom = spot[1] - height / 2 + up * (height / 2 + step)
            boxes.append((left, bottom, left + width, bottom + height))
    return np.array(boxes)


def _lead(axes: Axes, spot: Floats, box: Floats, colour: str) -> None:
    """A thin line from a point to the nearest part of its name."""
    name = np.clip(spot, box[:2], box[2:])
    ends = axes.transData.inverted().transform([spot, name])
    line = require("matplotlib.lines", "Drawing").Line2D(
        ends[:, 0], ends[:, 1], color=colour, linewidth=0.6, zorder=0.9
    )
    axes.add_artist(line)  # unlike a plotted line it leaves alone what the axes show


def _along(axes: Axes, line: Floats, step: float) -> Floats:
    start, end = axes.transData.transform(line)
    spots: Floats = np.linspace(start, end, 2 + int(np.hypot(*(end - start)) / (2 * step)))
    return spots


def _around(spots: Floats, half: float) -> Floats:
    return np.concatenate([spots - half, spots + half], axis=1)
