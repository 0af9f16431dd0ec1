"""Saved results read item by item, so that two models can be compared on the same items.

Probes save items with their words and labels where asked for (`everyword probe --items`). Tasks save numbers, in the
order of the data set: a word's rank, whether it was right, or how close the words of a pair are; with the data set at
hand they get names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.evaluation import results
from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.compare import Comparison, ItemResults, Pair, compare_items, correlation
from everyword.evaluation.paired import Interval, bootstrap_statistic
from everyword.evaluation.probes import probe_results
from everyword.evaluation.probes.probe_results import ProbeResult
from everyword.evaluation.results import Result
from everyword.evaluation.tasks.similarity import spearman
from everyword.files import read_object

CLOSENESS, JUDGEMENT = "closeness", "judgement"
"""Items of tasks that are scored by a rank correlation."""
RIGHT = "items right"
"""What is compared of a probe whose score is not the mean of its items, such as F1."""
Saved = Result | ProbeResult


@dataclass(frozen=True)
class RankComparison:
    """Two models on the same pairs of words, by rank correlation × 100."""

    n: int
    first: float
    second: float
    difference: Interval


@dataclass(frozen=True)
class Compared:
    """One task or probe with the results of two models."""

    name: str
    metric: str
    first: str
    second: str
    found: Comparison | RankComparison
    sections: tuple[Pair, ...] = ()
    """Parts of the data set with both scores, those that differ most first."""
    section_r: float | None = None
    """Correlation of the scores of these parts."""


def read_saved(path: Path) -> dict[str, Saved]:
    """Read the results of one model, in a file or a folder, by task or probe.

    Raises:
        InputError: If there are none, or several of the same task.
    """
    if not path.exists():
        raise InputError(f"There are no results in {path}: run 'everyword evaluate' or 'everyword probe' first.")
    if path.is_dir():
        saved: list[Saved] = [*results.read_all([path]), *probe_results.read_all([path])]
    else:
        saved = [probe_results.read(path) if _is_probe(path) else results.read(path)]
    if not saved:
        raise InputError(f"There are no results in {path}: run 'everyword evaluate' or 'everyword probe' first.")
    found: dict[str, Saved] = {}
    for one in saved:
        if name_of(one) in found:
            raise InputError(
                f"{path} has {name_of(one)} of {label_of(found[name_of(one)])} and of {label_of(one)}; "
                "name the folder of one model, policy and layer."
            )
        found[name_of(one)] = one
    return found


def _is_probe(path: Path) -> bool:
    try:
        return "probe" in read_object(path)
    except ValueError:
        return False  # reading it as a result gives the error


def name_of(saved: Saved) -> str:
    """Return the name of the task with its data set, or of the probe."""
    if isinstance(saved, Result):
        return saved.benchmark
    return f"probe/{saved.probe}" + (" (quick)" if saved.quick else "")


def label_of(saved: Saved) -> str:
    """Return what gave the vectors."""
    return f"{saved.model}, {saved.policy}" if isinstance(saved, Result) else saved.label


def compare_saved(
    first: Mapping[str, Saved], second: Mapping[str, Saved], data: Path | None = None, *, samples: int = 10_000
) -> tuple[list[Compared], dict[str, str]]:
    """Compare all tasks and probes of which both have the items.

    Args:
        first: The results of one model, as `read_saved` returns them.
        second: Those of another.
        data: The data folder, for the names of the items of tasks; None leaves them without names.
        samples: How many samples the bootstrap draws.

    Returns:
        The comparisons, and the reasons why other tasks have none.

    Raises:
        InputError: If nothing can be compared.
    """
    found, skipped = [], {}
    for name in [name for name in first if name in second]:
        try:
            found.append(_compared(name, first[name], second[name], data, samples))
        except InputError as error:
            skipped[name] = str(error)
    if not found:
        reason = "; ".join(f"{name}: {why}" for name, why in list(skipped.items())[:3]) or "they share no task."
        raise InputError(f"These results cannot be compared item by item: {reason}")
    return found, skipped


def _compared(name: str, first: Saved, second: Saved, data: Path | None, samples: int) -> Compared:
    if first.data_sha256 != second.data_sha256 or first.version != second.version:
        raise InputError("the two results are of different data or versions of the task.")
    labels = (label_of(first), label_of(second))
    if isinstance(first, ProbeResult) or isinstance(second, ProbeResult):
        assert isinstance(first, ProbeResult)  # the names say so
        assert isinstance(second, ProbeResult)
        one, other = (_probe_items(result) for result in (first, second))
        same = abs(100 * float(np.mean(one.scores)) - first.value) < 0.1
        metric = first.metric if same else RIGHT
        return Compared(name, metric, *labels, compare_items(one, other, samples=samples))
    sections = _sections(first, second)
    section_r = correlation([pair.first for pair in sections], [pair.second for pair in sections])
    if CLOSENESS in first.items and CLOSENESS in second.items:
        ranks = _compare_ranks(first, second, min(samples, 2000))
        return Compared(name, first.main, *labels, ranks, sections, section_r)
    names = _names(first, data)
    one, other = (ItemResults(label_of(result), item_scores(result), names) for result in (first, second))
    return Compared(name, first.main, *labels, compare_items(one, other, samples=samples), sections, section_r)


def _probe_items(result: ProbeResult) -> ItemResults:
    columns = result.items
    if "score" not in columns:
        raise InputError("single items were not saved; ask again with --items.")

    def texts(name: str) -> tuple[str, ...] | None:
        return tuple(map(str, columns[name])) if name in columns else None

    groups = tuple(int(one) for one in columns["group"]) if "group" in columns else None
    scores = np.array(columns["score"], dtype=np.float64)
    return ItemResults(result.label, scores, texts("word"), texts("gold"), texts("predicted"), groups)


def item_scores(result: Result) -> npt.NDArray[np.float64]:
    """Return the score of each item of a task, from 0 to 1; their mean is the task's score."""
    items = {name: np.array(numbers, dtype=np.float64) for name, numbers in result.items.items()}
    if "right" in items:
        return items["right"]
    if "rank" in items:
        rank = items["rank"]
        if result.main.startswith("hit@"):
            return ((rank > 0) & (rank <= int(result.main.partition("@")[2]))).astype(np.float64)
        return np.where(rank > 0, 1 / np.maximum(rank, 1), 0.0)
    if "beaten" in items:
        return (items["beaten"] == 1).astype(np.float64) if result.main == "all_beaten" else items["beaten"]
    if "mere" in items:
        return np.where(items["mere"] >= 0, 1 - items["mere"], 0.0)
    raise InputError("single items were not saved; score it again with --items, if the task keeps any.")


def _compare_ranks(first: Result, second: Result, samples: int) -> RankComparison:
    gold, one, other = (
        np.array(numbers) for numbers in (first.items[JUDGEMENT], first.items[CLOSENESS], second.items[CLOSENESS])
    )
    if len({len(one), len(other), len(gold)}) > 1:
        raise InputError(f"the two results have {len(one)} and {len(other)} items, with {len(gold)} judgements.")

    def difference(rows: IndexArray) -> float:
        return 100 * (spearman(one[rows], gold[rows]) - spearman(other[rows], gold[rows]))

    mine, theirs = (100 * spearman(closeness, gold) for closeness in (one, other))
    return RankComparison(len(one), mine, theirs, bootstrap_statistic(difference, len(one), samples=samples))


def _sections(first: Result, second: Result) -> tuple[Pair, ...]:
    main, pairs = first.main, []
    for name, mine in first.sections.items():
        theirs = second.sections.get(name, {})
        if main in mine and main in theirs:
            pairs.append(Pair(name, int(mine.get("n", 0)), mine[main], theirs[main]))
    return tuple(sorted(pairs, key=lambda pair: (-abs(pair.difference), pair.name)))


def _names(result: Result, data: Path | None) -> tuple[str, ...] | None:
    """Return the names of the items of a task, if its data set is at hand and is the one that was scored."""
    if data is None or result.noise is not None:
        return None
    chosen = choose([f"{result.task}/{result.data}"], data)
    loaded = [one for one in chosen if isinstance(one, Benchmark) and one.sha256 == result.data_sha256]
    names = tuple(item_names(loaded[0].load())) if loaded else None
    return names if names is not None and len(names) == len(item_scores(result)) else None


NAMES: dict[str, Callable[[Any], Iterable[str]]] = {
    "KindsSet": lambda data: (token.text for token in data.tokens),
    "LookAlikeSet": lambda data: (one.word for one in data.rivals),
    "BandSet": lambda data: data.words,
    "MisspellingSet": lambda data: data.rights,
    "AnalogySet": lambda data: map(" ".join, data.questions),
}
"""What names the items of a data set, by its type."""


def item_names(data: Any) -> list[str]:
    """Return a name for each item of a data set; none for a type of which nothing is known."""
    name = NAMES.get(type(data).__name__)
    return list(name(data)) if name else []
