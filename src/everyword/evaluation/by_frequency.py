"""Scores of the words of a task by how often they occur: where do vectors stop being trustworthy?

An item is as frequent as its rarest word. Each item has a value of its own, from 0 to 100, for a regression on the
logarithm of the frequency; the score of a band is that of the task, computed over the items of the band.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from everyword.arrays import BoolArray
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.by_resource import Band, Regression, Values, bands, regress
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.tasks.analogy import AnalogySet, right_answers
from everyword.evaluation.tasks.closeness import pair_closeness
from everyword.evaluation.tasks.misspelling import MisspellingSet, ranks_of
from everyword.evaluation.tasks.similarity import SimilaritySet, average_ranks, spearman

FREQUENCY = "frequency"


@dataclass(frozen=True)
class Items:
    """The items of a data set, each with a value, and the score of a part of them."""

    words: Sequence[Sequence[str]]
    """The words of each item that decide how frequent it is."""
    values: Values
    score: Callable[[BoolArray], float | None]


def similarity_items(model: EvaluatedModel, data: SimilaritySet) -> Items:
    """Value pairs by how little their ranks differ from those of people, and score a band by Spearman's correlation."""
    close = pair_closeness(model, data.pairs)
    apart = np.abs(average_ranks(close) - average_ranks(data.scores)) / max(1, len(close) - 1)

    def score(chosen: BoolArray) -> float | None:
        return 100 * spearman(close[chosen], data.scores[chosen]) if chosen.sum() > 1 else None

    return Items(data.pairs, 100 * (1 - apart), score)


def analogy_items(model: EvaluatedModel, data: AnalogySet) -> Items:
    """Value questions by whether the main rule answers them."""
    right, _ = right_answers(model, data)
    return _means(data.questions, 100 * next(iter(right.values())).astype(np.float64))


def misspelling_items(model: EvaluatedModel, data: MisspellingSet) -> Items:
    """Value misspellings by the reciprocal rank of their best correction, which also decides how frequent they are."""
    fair, ranks = ranks_of(model, data)
    found = {wrong: 100 / rank for wrong, rank in zip(fair, ranks.tolist(), strict=True) if rank}
    return _means(list(data.rights.values()), np.array([found.get(wrong, 0.0) for wrong in data.rights]))


def _means(words: Sequence[Sequence[str]], values: Values) -> Items:
    return Items(words, values, lambda chosen: float(values[chosen].mean()))


ITEMS: Mapping[str, Callable[[EvaluatedModel, Any], Items]] = {
    "similarity": similarity_items,
    "analogy": analogy_items,
    "misspelling": misspelling_items,
}
"""The tasks whose items have values."""


@dataclass(frozen=True)
class ByFrequency:
    """The scores of a benchmark by the frequency of its words."""

    benchmark: str
    bands: Sequence[Band]
    regression: Regression | None
    """Of the values of items whose words all occur; None for too few."""


def score_by_frequency(
    model: EvaluatedModel, benchmark: Benchmark, counts: Mapping[str, int], *, width: int = 2, least: int = 20
) -> ByFrequency:
    """Score a benchmark in bands of frequency.

    Args:
        model: What gives the vectors.
        benchmark: One of a task in `ITEMS`.
        counts: How often lower-cased words occur in some corpus.
        width: Powers of 2 per band.
        least: Bands with fewer items have no score.

    Raises:
        NoScoreError: If the task has no values of items.
        InputError: If none of the words of the data occurs.
    """
    if benchmark.task.name not in ITEMS:
        raise NoScoreError(f"The task {benchmark.task.name} cannot be scored by frequency; choose {', '.join(ITEMS)}.")
    items = ITEMS[benchmark.task.name](model, benchmark.task.load(*benchmark.files))
    rarest = max if benchmark.task.name == "misspelling" else min  # of several corrections, the best known one
    sizes = np.array([rarest(counts.get(word.lower(), 0) for word in words) for words in items.words])
    if not sizes.any():
        raise InputError(f"No item of {benchmark.name} has words with a count; are the counts of another language?")
    some = sizes > 0
    enough = some.sum() > max(least, 2) and len(set(sizes[some].tolist())) > 1
    fit = regress({FREQUENCY: sizes[some]}, items.values[some]) if enough else None
    return ByFrequency(benchmark.name, bands(sizes, items.score, width=width, least=least), fit)
