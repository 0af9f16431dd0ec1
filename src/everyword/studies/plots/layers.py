"""What each layer of a transformer knows: a panel per question, a line per transformer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from everyword.errors import InputError
from everyword.evaluation.probes.probe_results import ProbeResult
from everyword.extras import require
from everyword.studies.plots.picture import COLOURS, LONGEST_SERIES, MARKERS, Frame, panels, picture, plural, readable
from everyword.studies.plots.profile import best_control

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 4
PANEL = (2.0, 1.6)
"""Width and height of a panel in inches."""


def draw_layers(results: Sequence[ProbeResult], frame: Frame) -> None:
    """Draw scores against layers, with intervals, and the best that a control reaches as a broken line.

    Layers are placed by depth, from the input to the last one that was asked, so that transformers of different
    heights can be compared.
    """
    layered = [result for result in results if result.layer is not None]
    models = list(dict.fromkeys(result.model for result in layered))
    deepest = {model: max(one.layer or 0 for one in layered if one.model == model) for model in models}
    layered = [result for result in layered if deepest[result.model]]
    if not layered:
        raise InputError(
            "There are no answers of several layers to draw; run 'everyword probe MODEL --layers all' first."
        )
    models = [model for model in models if deepest[model]]
    questions = list(dict.fromkeys(result.probe for result in layered))
    rows = -(-len(questions) // COLUMNS)
    columns = -(-len(questions) // rows)
    caption = (
        "Depth is the layer in percent of the last one; 0 is the input. Bands are 95 % intervals; a broken line is the "
        "best that a control reaches: random vectors, the most frequent answer, or the length of a text."
    )
    title = f"What the layers of {plural(len(models), 'model')} know"
    size = (PANEL[0] * columns + 0.4, PANEL[1] * rows + 1.3)
    line = require("matplotlib.lines", "Drawing").Line2D
    with picture(frame, title=title, caption=caption, size=size) as figure:
        every = panels(figure, len(questions), columns, sharex=True)
        for axes, question in zip(every, questions, strict=True):
            axes.set_title(readable(question), fontsize=9)
            for number, model in enumerate(models):
                found = [one for one in layered if (one.model, one.probe) == (model, question)]
                if found:
                    _add_model(axes, sorted(found, key=lambda one: one.layer or 0), deepest[model], number)
        lines = [line([], [], color=_colour(number), marker=_marker(number), ms=3) for number in range(len(models))]
        every[0].legend(lines, [readable(model, LONGEST_SERIES) for model in models], loc="best", fontsize=6)
        for place, axes in enumerate(every):
            if place % columns == 0:
                axes.set_ylabel("score")
            if place + columns >= len(every):
                axes.set_xlabel("depth, %")
                axes.tick_params(labelbottom=True)


def _add_model(axes: Axes, found: Sequence[ProbeResult], deepest: int, number: int) -> None:
    """Draw the layers of a transformer: its scores, their intervals, and the best that controls reach."""
    at = [100 * (one.layer or 0) / deepest for one in found]
    axes.plot(at, [one.value for one in found], marker=_marker(number), ms=3, color=_colour(number))
    spans = [one.interval or (one.value, one.value) for one in found]
    low, high = zip(*spans, strict=True)
    axes.fill_between(at, low, high, alpha=0.2, linewidth=0, color=_colour(number))
    controls = [(place, best) for place, one in zip(at, found, strict=True) if (best := best_control(one)) is not None]
    if controls:
        axes.plot(*zip(*controls, strict=True), linestyle="--", linewidth=0.9, color=_colour(number))


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]
