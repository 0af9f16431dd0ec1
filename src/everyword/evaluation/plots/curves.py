"""Scores against the strength of noise, a line for each series: how much is left when words are misspelt?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword.errors import InputError
from everyword.evaluation.intrinsic.typo_similarity import FAMILIES
from everyword.evaluation.intrinsic.typo_similarity import TASK as TYPO_SIMILARITY
from everyword.evaluation.plots.picture import COLOURS, LONGEST_SERIES, MARKERS, Frame, counted, picture, readable
from everyword.evaluation.results import Result, read, read_all
from everyword.evaluation.rows import COMMENT
from everyword.evaluation.scoreboard import row_of, whole_of
from everyword.files import read_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEEDED = ("series", "strength", "score")
OPTIONAL = ("spread", "n")
WHAT = "list of points"


@dataclass(frozen=True)
class Point:
    """One score of one series."""

    series: str
    strength: float
    score: float
    spread: float | None = None
    """One standard deviation."""
    n: int | None = None
    """How many items are behind the score."""


@dataclass(frozen=True)
class Curves:
    """Points and what the two axes are called."""

    points: Sequence[Point]
    noise: str = "strength of the noise"
    score: str = "score, %"


def read_curves(places: Sequence[Path]) -> Curves:
    """Points from files of them (.json, .tsv) or from kept results of typo-similarity (files and folders)."""
    found: list[Curves] = []
    kept: list[Result] = []
    for place in places:
        if place.is_dir():
            kept += read_all([place])
        elif place.suffix == ".tsv":
            found.append(Curves(_read_tsv(place)))
        elif "schema" in (record := _read_json(place)):
            kept.append(read(place))
        else:
            found.append(_from_record(place, record))
    if kept:
        found.append(of_results(kept))
    points = [point for curves in found for point in curves.points]
    if not points:
        raise InputError(f"There are no points to draw in {', '.join(map(str, places)) or 'nothing'}.")
    seen: set[tuple[str, float]] = set()
    for point in points:
        if (point.series, point.strength) in seen:
            raise InputError(f"The series {point.series!r} has two scores at {point.strength:g}; leave one out.")
        seen.add((point.series, point.strength))
    return Curves(points, found[0].noise, found[0].score)


def of_results(results: Iterable[Result]) -> Curves:
    """Clean and misspelt of every way, as the mean over the data sets that all ways have."""
    ours = [result for result in results if result.task == TYPO_SIMILARITY.name]
    if not ours:
        raise InputError("There are no results of the task typo-similarity: run 'everyword evaluate' with it first.")
    ways: dict[str, dict[str, Result]] = {}
    for result in sorted(ours, key=row_of):
        ways.setdefault(row_of(result), {})[result.data] = result
    shared = set.intersection(*(set(of_way) for of_way in ways.values()))
    chosen = sorted(data for data in shared if whole_of(data) not in shared)
    if not chosen:
        raise InputError("The ways in these results have no data set of typo-similarity in common.")
    points = []
    for way, of_way in ways.items():
        parts = [of_way[data] for data in chosen]
        n = sum(part.n for part in parts)
        for family in FAMILIES:
            spread = math.sqrt(sum(part.spread[family] ** 2 for part in parts)) / len(parts)
            series = f"{way}: {family}"
            points.append(Point(series, 0, _mean(parts, "clean"), None, n))
            points.append(Point(series, 1, _mean(parts, family), spread, n))
    axis = f"Spearman × 100, mean of {counted(len(chosen), 'data set')}"
    return Curves(points, "errors in the first word of each pair", axis)


def _mean(parts: Sequence[Result], name: str) -> float:
    return sum(part.scores[name] or 0.0 for part in parts) / len(parts)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        record = json.loads("\n".join(read_lines(path, WHAT)))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} cannot be read as JSON: {error}. Points may also come as .tsv.") from None
    if isinstance(record, list):
        record = {"points": record}
    if not isinstance(record, dict) or not ("schema" in record or isinstance(record.get("points"), list)):
        raise InputError(f"{path} must hold a list of points, or an object with one under 'points'.")
    return record


def _from_record(path: Path, record: Mapping[str, Any]) -> Curves:
    names = {name: str(record[name]) for name in ("noise", "score") if name in record}
    points = record["points"]
    return Curves([_point(f"{path}, point {place}", cells) for place, cells in enumerate(points, start=1)], **names)


def _read_tsv(path: Path) -> list[Point]:
    rows = [line.split("\t") for line in read_lines(path, WHAT) if line.strip() and line[0] != COMMENT]
    header, lines = rows[0] if rows else [], rows[1:]
    if not set(NEEDED) <= set(header) <= {*NEEDED, *OPTIONAL}:
        raise InputError(
            f"{path}: the first line must name the columns {', '.join(NEEDED)} and, if there are any, "
            f"{' and '.join(OPTIONAL)}, with tabs between them. Got {' '.join(header)[:60]!r}."
        )
    return [
        _point(
            f"{path}, point {place}", {name: cell for name, cell in zip(header, cells, strict=False) if cell.strip()}
        )
        for place, cells in enumerate(lines, start=1)
    ]


def _point(where: str, cells: object) -> Point:
    if not isinstance(cells, Mapping) or not set(NEEDED) <= set(cells) <= {*NEEDED, *OPTIONAL}:
        raise InputError(
            f"{where} needs {', '.join(NEEDED)}, and may have {' and '.join(OPTIONAL)}. Got {cells!r:.80}."
        )
    try:
        strength, score = float(cells["strength"]), float(cells["score"])
        spread = None if cells.get("spread") is None else float(cells["spread"])
        n = None if cells.get("n") is None else int(cells["n"])
    except (TypeError, ValueError):
        raise InputError(f"{where} holds something else than numbers: {dict(cells)!r:.120}.") from None
    if not all(map(math.isfinite, (strength, score, spread or 0))) or (spread or 0) < 0:
        raise InputError(f"{where} holds a number that cannot be drawn: {dict(cells)!r:.120}.")
    return Point(str(cells["series"]), strength, score, spread, n)


def draw(curves: Curves, frame: Frame) -> None:
    """A line for each series with a band of one standard deviation to each side, named at its right end."""
    series: dict[str, list[Point]] = {}
    for point in sorted(curves.points, key=lambda point: point.strength):
        series.setdefault(point.series, []).append(point)
    ordered = {name: series[name] for name in dict.fromkeys(point.series for point in curves.points)}
    title = f"What noise leaves of the score, {len(ordered)} series"
    with picture(frame, title=title, caption=_caption(curves.points), size=(7.5, 4.6)) as figure:
        axes = figure.subplots()
        ends = []
        for place, (name, points) in enumerate(ordered.items()):
            colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
            strengths, scores = [point.strength for point in points], [point.score for point in points]
            low = [point.score - (point.spread or 0) for point in points]
            high = [point.score + (point.spread or 0) for point in points]
            axes.fill_between(strengths, low, high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(strengths, scores, color=colour, marker=marker, markersize=5)
            ends.append((strengths[-1], scores[-1], readable(name, LONGEST_SERIES), colour))
        every = sorted({point.strength for point in curves.points})
        if len(every) <= 12:
            axes.set_xticks(every, [f"{strength:g}" for strength in every])
        axes.set_xlabel(readable_axis(curves.noise))
        axes.set_ylabel(readable_axis(curves.score))
        _name_ends(figure, ends)


def readable_axis(name: str) -> str:
    """The name of an axis, on one line."""
    return " ".join("".join(character if character.isprintable() else " " for character in name).split())


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
