"""What is in vectors, as bars: questions are rows, representations are colours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from everyword.errors import InputError
from everyword.evaluation.probes.probe import CONTROL_LABELS
from everyword.evaluation.probes.probe_results import ProbeResult
from everyword.evaluation.probes.representation import RANDOM
from everyword.studies.plots.picture import COLOURS, LONGEST_SERIES, Frame, picture, plural, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR = 0.16
"""The height of a bar in inches."""
GAP = 1.2
"""Between two questions, in bars."""
LEAST = 2
"""The bars that a question has room for at least: its label has two lines."""
HATCHES = (None, "////", "....")
"""The patterns of colours that are used for a second and third time."""
CONTROL = "#222222"
BARS = COLOURS[:-1]
"""Without black, on which no line can be seen."""


def draw_profile(results: Sequence[ProbeResult], frame: Frame) -> None:
    """Draw a bar for each question and representation, with its interval and the best that controls reach.

    Random vectors are drawn only if there is nothing else: as a control they are in the answers of the others.
    """
    if not results:
        raise InputError("There are no answers to draw; run 'everyword probe' first.")
    results = [result for result in results if result.policy != RANDOM] or list(results)
    models = sorted({result.label for result in results}, key=_in_order)
    questions = list(dict.fromkeys(result.probe for result in results))
    heights, groups = _heights(results, models, questions)
    title = f"What is in the vectors of {plural(len(models), 'model')}"
    caption = (
        "Bars are scores of probes, thin lines 95 % intervals; an upright line is the best that a control reaches: "
        "random vectors, the most frequent answer, or the length of a text."
    )
    bottom = max(heights.values()) + GAP
    size = (7.5, 1.5 + BAR * bottom + 0.2 * len(models))
    with picture(frame, title=title, caption=caption, size=size) as figure:
        axes = figure.subplots()
        axes.grid(axis="y", visible=False)
        handles = []
        for number, model in enumerate(models):
            found = [result for result in results if result.label == model]
            at = [heights[model, result.probe] for result in found]
            colour, hatch = BARS[number % len(BARS)], HATCHES[number // len(BARS) % len(HATCHES)]
            values = [one.value for one in found]
            handles.append(axes.barh(at, values, height=0.85, color=colour, hatch=hatch, edgecolor="white"))
        _add_lines(axes, results, heights)
        axes.set_yticks(groups, [_label(question, results) for question in questions])
        axes.set_ylim(bottom - 0.6, -0.9)
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=CONTROL, linewidth=0.6)
        axes.set_xlabel("score")
        names = [readable(model, LONGEST_SERIES) for model in models]
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), borderpad=0.2)


def _add_lines(axes: Axes, results: Sequence[ProbeResult], heights: Mapping[tuple[str, str], float]) -> None:
    """Draw intervals as thin lines, and the best that controls reach as upright ones on white."""
    at = [heights[result.label, result.probe] for result in results]
    spans = [(height, *one.interval) for height, one in zip(at, results, strict=True) if one.interval is not None]
    bests = [(best, height) for height, one in zip(at, results, strict=True) if (best := best_control(one)) is not None]
    if spans:
        axes.hlines(*zip(*spans, strict=True), color=CONTROL, linewidth=0.7)
    if bests:
        ends = ([best for best, _ in bests], [at - 0.45 for _, at in bests], [at + 0.45 for _, at in bests])
        axes.vlines(*ends, color="white", linewidth=3.5)
        axes.vlines(*ends, color=CONTROL)


def _heights(
    results: Sequence[ProbeResult], models: Sequence[str], questions: Sequence[str]
) -> tuple[dict[tuple[str, str], float], list[float]]:
    """Return the height of each bar, by model and question, and of the middle of each question.

    Only models that were asked have room.
    """
    heights, middles, top = dict[tuple[str, str], float](), [], 0.0
    for question in questions:
        asked = {result.label for result in results if result.probe == question}
        room = max(len(asked), LEAST)
        first = top + (room - len(asked)) / 2
        heights |= {(model, question): first + n for n, model in enumerate(one for one in models if one in asked)}
        middles.append(top + (room - 1) / 2)
        top += room + GAP
    return heights, middles


def _in_order(label: str) -> list[tuple[int, str]]:
    """Sort numbers inside labels, such as those of layers, by size."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", label)]


def best_control(result: ProbeResult) -> float | None:
    """Return the best that the same question is answered without the vectors; control labels are another question."""
    return max((value for name, value in result.controls.items() if name != CONTROL_LABELS), default=None)


def _label(question: str, results: Sequence[ProbeResult]) -> str:
    some = [result for result in results if result.probe == question]
    return f"{readable(question)}\n{some[0].metric}, n = {max(result.n for result in some):,}"
