"""Results as dots: data sets are rows, models under a policy are colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from everyword.errors import InputError
from everyword.evaluation.results import Result
from everyword.evaluation.scoreboard import board, column_of, row_of
from everyword.studies.plots.picture import (
    COLOURS,
    FAINT,
    GREY,
    LONGEST_SERIES,
    MARKERS,
    Frame,
    picture,
    plural,
    readable,
)  # fmt: skip

ROW_HEIGHT = 0.27
"""In inches."""


def draw_scores(results: Sequence[Result], frame: Frame) -> None:
    """Draw a dot for each main score and a line for one standard deviation to each side, with n beside the data set."""
    scored = [result for result in results if result.value is not None]
    if not scored:
        raise InputError("There are no scores to draw; run 'everyword evaluate' first.")
    table = board(scored)
    models = list(table.rows)
    by_cell = {(row_of(result), column_of(result)): result for result in scored}
    columns = [name for name in table.columns if any((model, name) in by_cell for model in models)]
    tasks = {task: list(names) for task, names in groupby(columns, key=lambda name: name.partition("/")[0])}
    heights: dict[str, float] = {}
    headings: dict[str, float] = {}
    height = 0.0
    for task, names in tasks.items():
        headings[task] = height
        heights |= {name: height + index for index, name in enumerate(names, start=1)}
        height += len(names) + 1.4
    caption = _caption(scored, len(models), len(columns))
    title = f"Scores of {plural(len(models), 'model')} on {plural(len(columns), 'benchmark')}"
    size = (7.5, 1.6 + ROW_HEIGHT * height + 0.22 * len(models))
    with picture(frame, title=title, caption=caption, size=size) as figure:
        axes = figure.subplots()
        axes.grid(axis="y", visible=False)
        axes.hlines(list(heights.values()), 0, 1, transform=axes.get_yaxis_transform(), color=FAINT, linewidth=0.8)
        handles = []
        for index, model in enumerate(models):
            colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
            found = [by_cell[model, name] for name in columns if (model, name) in by_cell]
            values = [result.value or 0.0 for result in found]  # those without a value were left out above
            at = [heights[column_of(result)] for result in found]
            spread = [result.spread.get(result.main, 0.0) for result in found]
            axes.errorbar(values, at, xerr=spread, fmt="none", ecolor=colour, elinewidth=1.2)
            handles.append(axes.scatter(values, at, s=36, marker=marker, color=colour, alpha=0.9, zorder=3))
        for task, at_height in headings.items():
            main = next(result.main for result in scored if column_of(result).startswith(f"{task}/"))
            axes.annotate(
                f"{task}, {main}", (0, at_height), xycoords=axes.get_yaxis_transform(), xytext=(4, 0),
                textcoords="offset points", va="center", color=GREY, weight="bold",
            )  # fmt: skip
        axes.set_yticks(list(heights.values()), [_label(name, by_cell) for name in heights])
        axes.set_ylim(height - 0.7, -0.8)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("score, %")
        names = [readable(model, LONGEST_SERIES) for model in models]
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), handletextpad=0.2, borderpad=0.2)


def _label(column: str, results: dict[tuple[str, str], Result]) -> str:
    counts = sorted({result.n for (_, name), result in results.items() if name == column})
    n = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{readable(column.partition('/')[2])}  n = {n}"


def _caption(results: Sequence[Result], models: int, columns: int) -> str:
    seeds = sorted({result.seeds for result in results if result.spread})
    spread = f"; lines are one standard deviation over {_range(seeds)} seeds" if seeds else ""
    absent = models * columns - len({(row_of(result), column_of(result)) for result in results})
    missing = f"; {plural(absent, 'score')} missing" if absent else ""
    return f"n is the number of items behind each score{spread}{missing}."


def _range(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
