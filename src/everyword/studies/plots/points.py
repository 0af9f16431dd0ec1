"""The points of curves, from files of points and from results of `everyword evaluate`."""

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
from everyword.studies.plots.picture import plural

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
    """How many items the score is computed from."""


@dataclass(frozen=True)
class Panel:
    """The curves of one panel: their points and the labels of the two axes."""

    points: Sequence[Point]
    x_label: str = "strength of the noise"
    y_label: str = "score, %"
    title: str = ""
    log_scale: bool = False
    """Whether each step to the right doubles the number."""
    tick_names: Sequence[str] = ()
    """Names of the strengths 0, 1, 2 …, where these are not numbers."""


def read_panels(paths: Sequence[Path]) -> list[Panel]:
    """Read panels of curves.

    Args:
        paths: Files of points (.json or .tsv), which share one panel, and files and folders of results.
    """
    given: list[Panel] = []
    results: list[Result] = []
    for path in paths:
        if path.is_dir():
            results += read_all([path])
        elif path.suffix == ".tsv":
            given.append(Panel(_read_tsv(path)))
        elif "schema" in (record := _read_json(path)):
            results.append(read(path))
        else:
            given.append(_from_record(path, record))
    every = [point for panel in given for point in panel.points]
    panels = [Panel(every, given[0].x_label, given[0].y_label)] if given else []
    panels += panels_of_noise(results) if results else []
    if not any(panel.points for panel in panels):
        raise InputError(f"There are no points to draw in {', '.join(map(str, paths)) or 'nothing'}.")
    for panel in panels:
        _check(panel.points)
    return panels


def _check(points: Sequence[Point]) -> None:
    (series, strength), times = Counter((point.series, point.strength) for point in points).most_common(1)[0]
    if times > 1:
        raise InputError(f"The series {series!r} has two scores at {strength:g}; remove one of them.")
    alone = [series for series, times in Counter(point.series for point in points).items() if times == 1]
    if alone:
        raise InputError(f"The series {alone[0]!r} has a single point, but a curve needs two or more; add a point.")


def panels_of_noise(results: Sequence[Result]) -> list[Panel]:
    """Return a panel for each task and corruption; without results under noise, one of the task typo-similarity."""
    noisy = {(r.task, r.version, r.corruption) for r in results if r.corruption}
    if noisy:
        return [_under_noise(results, *key) for key in sorted(noisy, key=_order)]
    return [_of_typo_similarity(results)]


def _order(key: tuple[str, int, str]) -> tuple[str, int, int]:
    task, version, corruption = key
    return task, version, CORRUPTIONS.index(corruption)


def _under_noise(results: Iterable[Result], task: str, version: int, corruption: str) -> Panel:
    """Return each model at each strength, as the mean over the data sets that all have; clean data is strength 0."""
    chosen = [r for r in results if (r.task, r.version) == (task, version) and r.corruption in (corruption, None)]
    models: dict[str, dict[str, dict[float, Result]]] = {}
    for result in chosen:
        models.setdefault(row_of(result), {}).setdefault(result.data, {})[result.strength] = result
    # A model, or a data set of it, that was only scored clean has no curve.
    curves = {
        model: {data: levels for data, levels in by_data.items() if any(levels)}
        for model, by_data in models.items()
        if any(any(levels) for levels in by_data.values())
    }
    shared = _shared_data(curves, f"{task} under {corruption}")
    main, points = chosen[0].main, []
    for model, by_data in curves.items():
        strengths = set.intersection(*(set(by_data[data]) for data in shared))
        for strength in sorted(strengths):
            points.append(_mean_point(model, strength, [by_data[data][strength] for data in shared], main))
    what = shared[0] if len(shared) == 1 else f"mean of {plural(len(shared), 'data set')}"
    named = {"typo": "a typo", "ocr": "a scanner’s error", PUBLISHED: "a typo, as published"}
    error = named.get(corruption, f"an error ({corruption})")
    return Panel(points, f"words with {error}, %", f"{main}, %", f"{task}, {what}, {corruption}")


def _of_typo_similarity(results: Iterable[Result]) -> Panel:
    """Return clean and misspelt scores of each model, as the mean over the data sets that all have."""
    models: dict[str, dict[str, Result]] = {}
    for result in sorted((r for r in results if r.task == TYPO_SIMILARITY.name), key=row_of):
        models.setdefault(row_of(result), {})[result.data] = result
    if not models:
        raise InputError(
            "There are no results under noise, and none of the task typo-similarity; run 'everyword evaluate' with "
            "--corruption first."
        )
    shared = _shared_data(models, TYPO_SIMILARITY.name)
    points = []
    for model, by_data in models.items():
        parts = [by_data[data] for data in shared]
        for family in ERRORS:
            series = f"{model}: {family}"
            points += [_mean_point(series, 0, parts, "clean"), _mean_point(series, 1, parts, family)]
    label = f"Spearman × 100, mean of {plural(len(shared), 'data set')}"
    return Panel(points, "errors in the first word of each pair", label)


def _shared_data(models: Mapping[str, Mapping[str, object]], what: str) -> list[str]:
    """Return the data sets that all models have, without those that are part of another one."""
    shared = set.intersection(*(set(by_data) for by_data in models.values()))
    chosen = sorted(data for data in shared if whole_of(data) not in shared)
    if not chosen:
        raise InputError(f"The models in these results have no data set of {what} in common.")
    return chosen


def panels_of_sentences(results: Sequence[Result]) -> list[Panel]:
    """Return a panel for each task that counts sentences, from its scores such as "spearman@4"."""
    tasks = sorted({(r.task, r.version, r.data) for r in results if _by_sentences(r)})
    if not tasks:
        raise InputError(
            "These results have no score by number of sentences; run 'everyword evaluate --tasks "
            "context-similarity,chimera' first."
        )
    return [
        Panel(
            [point for r in results if (r.task, r.version, r.data) == key for point in _by_sentences(r)],
            x_label="sentences",
            y_label="Spearman × 100",
            title=f"{key[0]}/{key[2]}",
            log_scale=True,
        )
        for key in tasks
    ]


def _by_sentences(result: Result) -> list[Point]:
    counts = {name: name.partition("@")[2] for name in result.scores if name.startswith(f"{result.main}@")}
    return [
        Point(row_of(result), float(count), value, result.spread.get(name), result.n)
        for name, count in counts.items()
        if count.isdigit() and (value := result.scores[name]) is not None
    ]


def _mean_point(series: str, strength: float, parts: Sequence[Result], score: str) -> Point:
    spreads = [part.spread.get(score) for part in parts]
    known = [spread for spread in spreads if spread is not None]
    spread = math.sqrt(sum(spread**2 for spread in known)) / len(parts) if known else None
    mean = sum(part.scores[score] or 0.0 for part in parts) / len(parts)
    return Point(series, strength, mean, spread, sum(part.n for part in parts))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        record = parse_json("\n".join(read_lines(path, WHAT)))
    except ValueError as error:
        raise InputError(f"{path} cannot be read as JSON: {error}. Points may also come as .tsv.") from None
    if isinstance(record, list):
        record = {"points": record}
    if not isinstance(record, dict) or not ("schema" in record or isinstance(record.get("points"), list)):
        raise InputError(f"{path} must hold a list of points, or an object with such a list under 'points'.")
    return record


def _from_record(path: Path, record: Mapping[str, Any]) -> Panel:
    points = [_point(f"{path}, point {number}", cells) for number, cells in enumerate(record["points"], start=1)]
    return Panel(points, str(record.get("noise", Panel.x_label)), str(record.get("score", Panel.y_label)))


def _read_tsv(path: Path) -> list[Point]:
    rows = [line.split("\t") for line in read_lines(path, WHAT) if line.strip() and line[0] != COMMENT]
    header, lines = rows[0] if rows else [], rows[1:]
    if not set(NEEDED) <= set(header) <= {*NEEDED, *OPTIONAL}:
        raise InputError(
            f"{path}: the first line must name the columns {', '.join(NEEDED)} and perhaps "
            f"{' and '.join(OPTIONAL)}, with tabs between them. Got {' '.join(header)[:60]!r}."
        )
    return [
        _point(
            f"{path}, point {number}", {name: cell for name, cell in zip(header, cells, strict=False) if cell.strip()}
        )
        for number, cells in enumerate(lines, start=1)
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
        raise InputError(f"{where} must hold numbers. Got {dict(cells)!r:.120}.") from None
    if not all(map(math.isfinite, (strength, score, spread or 0))) or (spread or 0) < 0:
        raise InputError(f"{where} must hold finite numbers, and a spread of 0 or more. Got {dict(cells)!r:.120}.")
    return Point(str(cells["series"]), strength, score, spread, n)
