"""The distances of Stratos (2017) between the vectors of a teacher and of a student, in two dimensions: figure 1."""

from __future__ import annotations

from math import acos, atan2, degrees, hypot

from everyword.extras import require
from everyword.studies.plots.picture import COLOURS, GREY, Frame, picture

TEACHER, STUDENT = (1.0, 3.0), (3.6, 1.8)
NAMES = ("Manhattan, D1", "Euclidean", "squared, D2", "maximum, D∞", "cosine, Dcos")


def distances(one: tuple[float, float], other: tuple[float, float]) -> dict[str, float]:
    """Return the five distances of two points, as the losses of the same names have them.

    >>> {name: round(value, 2) for name, value in distances((0.0, 3.0), (4.0, 0.0)).items()}
    {'Manhattan, D1': 7.0, 'Euclidean': 5.0, 'squared, D2': 25.0, 'maximum, D∞': 4.0, 'cosine, Dcos': -0.0}
    """
    wide, high = abs(one[0] - other[0]), abs(one[1] - other[1])
    cosine = (one[0] * other[0] + one[1] * other[1]) / (hypot(*one) * hypot(*other))
    return dict(zip(NAMES, (wide + high, hypot(wide, high), wide**2 + high**2, max(wide, high), -cosine), strict=True))


def draw_distances(frame: Frame) -> None:
    """Draw each distance as what it measures: a path, a segment, a square, the longer side, an angle."""
    (x, y), (u, v) = TEACHER, STUDENT
    values = distances(TEACHER, STUDENT)
    colours = dict(zip(NAMES, COLOURS, strict=False))
    patches = require("matplotlib.patches", "Drawing")
    caption = "x is the vector of a teacher, h that of a student. Each distance is what training makes smaller."
    with picture(frame, title="Five distances between two vectors", caption=caption, size=(7.0, 4.6)) as figure:
        axes = figure.subplots()
        axes.set_aspect("equal")
        across = (-(v - y), u - x)  # at right angles to the segment, as long as it is
        corners = [(x, y), (u, v), (u + across[0], v + across[1]), (x + across[0], y + across[1])]
        axes.add_patch(patches.Polygon(corners, facecolor=colours[NAMES[2]], alpha=0.15, label=_label(2, values)))
        axes.plot([x, x, u], [y, v, v], color=colours[NAMES[0]], linewidth=2.4, label=_label(0, values))
        axes.plot([x, u], [y, v], color=colours[NAMES[1]], label=_label(1, values))
        axes.plot([x, u], [v - 0.12, v - 0.12], color=colours[NAMES[3]], linewidth=2.4, label=_label(3, values))
        for end, name in ((TEACHER, "x"), (STUDENT, "h")):
            axes.annotate("", end, (0, 0), arrowprops={"arrowstyle": "->", "color": GREY})
            axes.annotate(name, end, xytext=(6, 6), textcoords="offset points", weight="bold")
        angles = sorted(degrees(atan2(end[1], end[0])) for end in (TEACHER, STUDENT))
        arc = patches.Arc((0, 0), 2, 2, theta1=angles[0], theta2=angles[1], color=colours[NAMES[4]], linewidth=1.8)
        axes.add_patch(arc)
        angle = degrees(acos(-values[NAMES[4]]))
        axes.plot([], [], color=colours[NAMES[4]], label=f"{_label(4, values)}, of {angle:.0f}°")
        axes.set_xlim(0, 5.4)
        axes.set_ylim(0, 6.0)
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1))


def _label(number: int, values: dict[str, float]) -> str:
    return f"{NAMES[number]}: {values[NAMES[number]]:.2f}"
