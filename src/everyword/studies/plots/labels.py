"""Labels beside points, where there is room for them.

By hand, because it beats the library adjustText here: that pushes labels away until they no longer overlap, which
leaves them scattered round their points, some on the markers, after seconds. One of 24 positions near the point reads
better, takes no time and gives the same picture everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from everyword.space.projection import Floats
from everyword.studies.plots.picture import add_line, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Right of the point first, because that is where one reads on."""
DISTANCES = (6.0, 12.0, 20.0)
"""From the point, in points of type; a label that is further away than the first gets a line to its point."""
POINT, LINE = 5.0, 1.5
"""Half the width of a marker and of a line, in points of type."""
ALL_LABELLED = 60
"""With more points than this, a label without room is left out."""


def shared_areas(boxes: Floats, others: Floats) -> Floats:
    """Return the area that each box shares with each other one; a box is left, bottom, right, top.

    >>> shared_areas(np.array([[0, 0, 4, 2]]), np.array([[3, 1, 9, 9], [4, 0, 9, 9], [1, 1, 2, 2]])).tolist()
    [[1, 0, 1]]
    """
    first = np.maximum(boxes[:, None, :2], others[None, :, :2])
    last = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    areas: Floats = np.clip(last - first, 0, None).prod(axis=2)
    return areas


def label_points(
    figure: Figure, points: Floats, names: Sequence[str], colours: Sequence[str], lines: Sequence[Floats] = ()
) -> int:
    """Write each name beside its point, away from other names, points and lines; return how many were written."""
    axes = figure.axes[0]
    figure.draw_without_rendering()  # settles where the axes are and what they show
    pixels = figure.dpi / 72
    frame = np.array([axes.get_window_extent().extents])
    centres = axes.transData.transform(points)
    along = [_around(_along(axes, line, LINE * pixels), LINE * pixels) for line in lines]
    taken = np.concatenate([_around(centres, POINT * pixels), *along])
    written = 0
    for centre, point, name, colour in zip(centres, points, names, colours, strict=True):
        text = axes.annotate(
            readable(name), point, xytext=(0, 0), textcoords="offset points", va="bottom", color=colour, size=8.5
        )
        text.set_in_layout(False)
        size = text.get_window_extent()
        boxes = _positions(centre, size.width, size.height, pixels)
        outside = size.width * size.height - shared_areas(boxes, frame)[:, 0]
        costs = shared_areas(boxes, taken).sum(axis=1) + 10 * outside.round(6)
        best = int(costs.argmin())
        box = boxes[best]
        if costs[best] > 0 and len(names) > ALL_LABELLED:
            text.remove()
            continue
        text.set_position(tuple((box[:2] - centre) / pixels))
        if best >= len(DIRECTIONS):
            nearest = np.clip(centre, box[:2], box[2:])
            add_line(axes, axes.transData.inverted().transform([centre, nearest]), colour)
        taken = np.concatenate([taken, [box]])
        written += 1
    return written


def _positions(centre: Floats, width: float, height: float, pixels: float) -> Floats:
    """Return the boxes in which a label can stand, the best one first."""
    boxes = []
    for distance in DISTANCES:
        for right, up in DIRECTIONS:
            step = distance * pixels * (1.0 if 0 in (right, up) else 0.7)
            left = centre[0] - width / 2 + right * (width / 2 + step)
            bottom = centre[1] - height / 2 + up * (height / 2 + step)
            boxes.append((left, bottom, left + width, bottom + height))
    return np.array(boxes)


def _along(axes: Axes, line: Floats, step: float) -> Floats:
    start, end = axes.transData.transform(line)
    centres: Floats = np.linspace(start, end, 2 + int(np.hypot(*(end - start)) / (2 * step)))
    return centres


def _around(centres: Floats, half: float) -> Floats:
    return np.concatenate([centres - half, centres + half], axis=1)
