"""Points of curves: from files of points, and from kept results under noise or of the task typo-similarity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.corpus.rows import COMMENT
from everyword.errors import InputError
from everyword.evaluation.results import Result, read, read_all
from everyword.evaluation.robustness.noise import CORRUPTIONS, PUBLISHED
from everyword.evaluation.robustness.typo_similarity import ERRORS
from everyword.evaluation.robustness.typo_similarity import TASK as TYPO_SIMILARITY
from everyword.evaluation.scoreboard import row_of, whole_of
from everyword.files import parse_json, read_lines
from everyword.studies.plots.picture import counted

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
    """The curves of one panel: their points and what the two axes are called."""

    points: Sequence[Point]
    noise: str = "strength of the noise"
    score: str = "score, %"
    title: str = ""
    """What tells these curves from others in the same picture."""
    doubling: bool = False
    """Whether each step to the right doubles the number, instead of adding to it."""
    steps: Sequence[str] = ()
    """What strengths 0, 1, 2 … are called, where they are no numbers."""


def read_curves(places: Sequence[Path]) -> list[Curves]:
    """Panels of curves, from files of points (.json, .tsv: one panel) and from kept results (files and folders)."""
    given: list[Curves] = []
    kept: list[Result] = []
    for place in places:
        if place.is_dir():
            kept += read_all([place])
        elif place.suffix == ".tsv":
            given.append(Curves(_read_tsv(place)))
        elif "schema" in (record := _read_json(place)):
            kept.append(read(place))
        else:
            given.append(_from_record(place, record))
    panels = [Curves([p for curves in given for p in curves.points], given[0].noise, given[0].score)] if given else []
    panels += of_results(kept) if kept else []
    if not any(panel.points for panel in panels):
        raise InputError(f"There are no points to draw in {', '.join(map(str, places)) or 'nothing'}.")
    for panel in panels:
        _check(panel.points)
    return panels


def _check(points: Sequence[Point]) -> None:
    (series, strength), times = Counter((point.series, point.strength) for point in points).most_common(1)[0]
    if times > 1:
        raise InputError(f"The series {series!r} has two scores at {strength:g}; leave one out.")
    alone = [series for series, times in Counter(point.series for point in points).items() if times == 1]
    if alone:
        raise InputError(f"The series {alone[0]!r} has a single point, and a curve needs two or more; add another one.")


def of_results(results: Sequence[Result]) -> list[Curves]:
    """A panel for each task and corruption; without results under noise, those of the task typo-similarity."""
    noisy = {(r.task, r.version, r.corruption) for r in results if r.corruption}
    if noisy:
        return [_under_noise(results, *which) for which in sorted(noisy, key=_order)]
    return [_of_typo_similarity(results)]


def _order(which: tuple[str, int, str]) -> tuple[str, int, int]:
    task, version, corruption = which
    return task, version, CORRUPTIONS.index(corruption)


def _under_noise(results: Iterable[Result], task: str, version: int, corruption: str) -> Curves:
    """Every way at every strength, as the mean over the data sets that all ways have; clean data is strength 0."""
    ours = [r for r in results if (r.task, r.version) == (task, version) and r.corruption in (corruption, None)]
    ways: dict[str, dict[str, dict[float, Result]]] = {}
    for result in ours:
        ways.setdefault(row_of(result), {}).setdefault(result.data, {})[result.strength] = result
    # A way, or a data set of it, that was only scored clean has no curve.
    curves = {
        way: {data: steps for data, steps in of_way.items() if any(steps)}
        for way, of_way in ways.items()
        if any(any(steps) for steps in of_way.values())
    }
    chosen = _shared_data(curves, f"{task} under {corruption}")
    points = []
    for way, of_way in curves.items():
        strengths = set.intersection(*(set(of_way[data]) for data in chosen))
        for strength in sorted(strengths):
            points.append(_mean_point(way, strength, [of_way[data][strength] for data in chosen], ours[0].main))
    what = chosen[0] if len(chosen) == 1 else f"mean of {counted(len(chosen), 'data set')}"
    return Curves(points, f"words with {_errors(corruption)}, %", f"{ours[0].main}, %", f"{task}, {what}, {corruption}")


def _errors(corruption: str) -> str:
    named = {"typo": "a typo", "ocr": "a scanner’s error", PUBLISHED: "a typo, as published"}
    return named.get(corruption, f"an error ({corruption})")


def _of_typo_similarity(results: Iterable[Result]) -> Curves:
    """Clean and misspelt of every way, as the mean over the data sets that all ways have."""
    ours = [result for result in results if result.task == TYPO_SIMILARITY.name]
    if not ours:
        raise InputError(
            "There are no results under noise, nor of the task typo-similarity: run 'everyword evaluate' with "
            "--corruption first."
        )
    ways: dict[str, dict[str, Result]] = {}
    for result in sorted(ours, key=row_of):
        ways.setdefault(row_of(result), {})[result.data] = result
    chosen = _shared_data(ways, TYPO_SIMILARITY.name)
    points = []
    for way, of_way in ways.items():
        parts = [of_way[data] for data in chosen]
        for family in ERRORS:
            series = f"{way}: {family}"
            points += [_mean_point(series, 0, parts, "clean"), _mean_point(series, 1, parts, family)]
    axis = f"Spearman × 100, mean of {counted(len(chosen), 'data set')}"
    return Curves(points, "errors in the first word of each pair", axis)


def _shared_data(ways: Mapping[str, Mapping[str, object]], what: str) -> list[str]:
    """The data sets that all ways have, without those that are part of another one."""
    shared = set.intersection(*(set(of_way) for of_way in ways.values()))
    chosen = sorted(data for data in shared if whole_of(data) not in shared)
    if not chosen:
        raise InputError(f"The ways in these results have no data set of {what} in common.")
    return chosen


def _mean_point(series: str, strength: float, parts: Sequence[Result], score: str) -> Point:
    spreads = [part.spread.get(score) for part in parts]
    known = [spread for spread in spreads if spread is not None]
    spread = math.sqrt(sum(spread**2 for spread in known)) / len(parts) if known else None
    return Point(
        series,
        strength,
        sum(part.scores[score] or 0.0 for part in parts) / len(parts),
        spread,
        sum(part.n for part in parts),
    )


def _read_json(path: Path) -> dict[str, Any]:
    try:
        record = parse_json("\n".join(read_lines(path, WHAT)))
    except ValueError as error:
        raise InputError(f"{path} cannot be read as JSON: {error}. Points may also come as .tsv.") from None
    if isinstance(record, list):
        record = {"points": record}
    if not isinstance(record, dict) or not ("schema" in record or isinstance(record.get("points"), list)):
        raise InputError(f"{path} must hold a list of points, or an object with one under 'points'.")
    return record


def _from_record(path: Path, record: Mapping[str, Any]) -> Curves:
    points = [_point(f"{path}, point {place}", cells) for place, cells in enumerate(record["points"], start=1)]
    return Curves(points, str(record.get("noise", Curves.noise)), str(record.get("score", Curves.score)))


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
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{where} holds something else than numbers: {dict(cells)!r:.120}.") from None
    if not all(map(math.isfinite, (strength, score, spread or 0))) or (spread or 0) < 0:
        raise InputError(f"{where} holds a number that cannot be drawn: {dict(cells)!r:.120}.")
    return Point(str(cells["series"]), strength, score, spread, n)
