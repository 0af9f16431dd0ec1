"""What is in vectors, as bars: questions are rows, representations are colours."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.errors import InputError
from everyword.evaluation.probes.probe import CONTROL_LABELS
from everyword.evaluation.probes.probe_results import ProbeResult
from everyword.evaluation.probes.representation import RANDOM
from everyword.studies.plots.picture import COLOURS, LONGEST_SERIES, Frame, picture, plural, readable

BAR = 0.16
"""The height of a bar in inches."""
PALE = 0.55
"""The opacity of colours that are used for a second time."""
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
    shown = {(result.label, result.probe): result for result in results}
    models = list(dict.fromkeys(result.label for result in results))
    questions = list(dict.fromkeys(result.probe for result in results))
    step = len(models) + 1.2
    title = f"What is in the vectors of {plural(len(models), 'model')}"
    caption = (
        "Bars are scores of probes, thin lines 95 % intervals; an upright line is the best that a control reaches: "
        "random vectors, the most frequent answer, or the length of a text."
    )
    size = (7.5, 1.5 + BAR * step * len(questions) + 0.2 * len(models))
    with picture(frame, title=title, caption=caption, size=size) as figure:
        axes = figure.subplots()
        axes.grid(axis="y", visible=False)
        handles = []
        for number, model in enumerate(models):
            found = [shown[model, question] for question in questions if (model, question) in shown]
            at = [questions.index(result.probe) * step + number for result in found]
            colour, faint = BARS[number % len(BARS)], PALE ** (number // len(BARS))
            handles.append(axes.barh(at, [one.value for one in found], height=0.85, color=colour, alpha=faint))
            for height, result in zip(at, found, strict=True):
                if result.interval is not None:
                    axes.hlines(height, *result.interval, color=CONTROL, linewidth=0.7)
                if (best := best_control(result)) is not None:
                    ends = best, height - 0.45, height + 0.45
                    axes.vlines(*ends, color="white", linewidth=3.5)
                    axes.vlines(*ends, color=CONTROL)
        middles = [number * step + (len(models) - 1) / 2 for number in range(len(questions))]
        axes.set_yticks(middles, [_label(question, results) for question in questions])
        axes.set_ylim(step * len(questions) - 0.6, -0.9)
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=CONTROL, linewidth=0.6)
        axes.set_xlabel("score")
        names = [readable(model, LONGEST_SERIES) for model in models]
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), borderpad=0.2)


def best_control(result: ProbeResult) -> float | None:
    """Return the best that the same question is answered without the vectors; control labels are another question."""
    return max((value for name, value in result.controls.items() if name != CONTROL_LABELS), default=None)


def _label(question: str, results: Sequence[ProbeResult]) -> str:
    some = [result for result in results if result.probe == question]
    return f"{readable(question)}\n{some[0].metric}, n = {max(result.n for result in some):,}"
