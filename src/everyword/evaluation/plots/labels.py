"""Names beside points, where there is room for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from everyword.evaluation.plots.picture import readable
from everyword.evaluation.plots.projection import Floats
from everyword.extras import require

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


class Box(NamedTuple):
    """A part of the page, in pixels."""

    left: float
    bottom: float
    right: float
    top: float

    def shared(self, other: Box) -> float:
        """The area that two boxes have in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(wide, 0.0) * max(high, 0.0)

    @property
    def area(self) -> float:
        """Width times height."""
        return (self.right - self.left) * (self.top - self.bottom)


def name_points(
    figure: Figure, points: Floats, names: Sequence[str], colours: Sequence[str], lines: Sequence[Floats] = ()
) -> int:
    """Write each name beside its point, away from other names, points and lines; the number of names written."""
    axes = figure.axes[0]
    figure.draw_without_rendering()  # settles where the axes are and what they show
    pixels = figure.dpi / 72
    frame = Box(*axes.get_window_extent().extents)
    spots = axes.transData.transform(points)
    taken = [_around(spot, POINT * pixels) for spot in spots]
    taken += [_around(spot, LINE * pixels) for line in lines for spot in _along(axes, line, LINE * pixels)]
    written = 0
    for spot, point, name, colour in zip(spots, points, names, colours, strict=True):
        text = axes.annotate(
            readable(name), point, xytext=(0, 0), textcoords="offset points", va="bottom", color=colour, size=8.5
        )
        text.set_in_layout(False)
        size = text.get_window_extent()
        cost, near, box = min(
            (sum(box.shared(other) for other in taken) + 10 * (box.area - box.shared(frame)), place, box)
            for place, box in enumerate(_choices(spot, size.width, size.height, pixels))
        )
        if cost > 0 and len(names) > ALL_ARE_NAMED:
            text.remove()
            continue
        text.set_position(((box.left - spot[0]) / pixels, (box.bottom - spot[1]) / pixels))
        if near >= len(PLACES):
            _lead(axes, spot, box, colour)
        taken.append(box)
        written += 1
    return written


def _choices(spot: Floats, width: float, height: float, pixels: float) -> Iterator[Box]:
    for distance in DISTANCES:
        for right, up in PLACES:
            step = distance * pixels * (1.0 if 0 in (right, up) else 0.7)
            left = float(spot[0]) - width / 2 + right * (width / 2 + step)
            bottom = float(spot[1]) - height / 2 + up * (height / 2 + step)
            yield Box(left, bottom, left + width, bottom + height)


def _lead(axes: Axes, spot: Floats, box: Box, colour: str) -> None:
    """A thin line from a point to the nearest part of its name."""
    name = np.clip(spot, (box.left, box.bottom), (box.right, box.top))
    ends = axes.transData.inverted().transform([spot, name])
    line = require("matplotlib.lines", "Drawing").Line2D(
        ends[:, 0], ends[:, 1], color=colour, linewidth=0.6, zorder=0.9
    )
    axes.add_artist(line)  # unlike a plotted line it leaves alone what the axes show


def _along(axes: Axes, line: Floats, step: float) -> Floats:
    start, end = axes.transData.transform(line)
    spots: Floats = np.linspace(start, end, 2 + int(np.hypot(*(end - start)) / (2 * step)))
    return spots


def _around(spot: Floats, half: float) -> Box:
    return Box(float(spot[0]) - half, float(spot[1]) - half, float(spot[0]) + half, float(spot[1]) + half)
