"""Attacks on a classifier by replacements that should change nothing: the worst and the best of a budget.

An attack takes anything that gives probabilities, and anything that rewrites texts: `names.NameReplacer` puts other
names of the same kind, `synonyms.SynonymReplacer` synonyms, `typos.TypoReplacer` misspells words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.errors import InputError

Text = tuple[str, ...]
"""A text, or several that are judged together, such as a pair of sentences."""
Predict = Callable[[Sequence[Text]], FloatArray]
"""Returns the probability of each label, (texts, labels)."""
Metric = Literal["accuracy", "f1"]
WORD = re.compile(r"[\w-]+")
POSITIVE = 1
"""The label that F1 is about."""


class Item(NamedTuple):
    """A text with its label."""

    text: Text
    label: int


class Replacer(Protocol):
    """Rewrites texts."""

    def rewritten(self, text: Text, budget: int, rng: Random) -> list[Text]:
        """Return so many rewritten texts; none if there is nothing to replace."""


def of_strings(predict_proba: Callable[[list[str]], Any]) -> Predict:
    """Wrap a function that takes strings, such as the `predict_proba` of a pipeline of scikit-learn."""
    return lambda texts: np.asarray(predict_proba([text[0] for text in texts]), dtype=np.float32)


@dataclass(frozen=True)
class AttackReport:
    """What replacements do to predictions, over the texts in which there is something to replace."""

    n: int
    budget: int
    metric: Metric
    original: float
    worst: float
    """The metric if every text has the replacement that is worst for its label; all metrics are in percent."""
    best: float
    stable: float
    """The share of texts whose prediction is the same for all replacements, in percent."""
    unchanged: float
    """The share of texts whose prediction is that of the original for all replacements, in percent."""
    random_mean: float
    random_sd: float
    """Over copies of the data with a random replacement in each text."""
    attacked: tuple[int, ...]
    """The rows of these texts."""
    predictions: IndexArray
    """By text and replacement, (n, budget)."""

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain values."""
        names = (
            "n",
            "budget",
            "metric",
            "original",
            "worst",
            "best",
            "stable",
            "unchanged",
            "random_mean",
            "random_sd",
        )
        return {name: round(value, 2) if isinstance(value := getattr(self, name), float) else value for name in names}


def attack(
    predict: Predict,
    items: Sequence[Item],
    replacer: Replacer,
    *,
    budget: int = 50,
    metric: Metric = "accuracy",
    copies: int = 10,
    seed: int = 0,
) -> AttackReport:
    """Replace something in every text within a budget, and report what that does to predictions.

    Args:
        predict: Gives the probabilities of labels.
        items: Texts with their labels.
        replacer: Rewrites texts. The original is not among the replacements.
        budget: How many replacements are tried for each text.
        metric: What is reported.
        copies: How many copies of the data with random replacements are scored.
        seed: Of the random numbers; each text has its own, so that other texts do not change its replacements.

    Raises:
        InputError: If no text has anything to replace, or the budget is less than 1.
    """
    if budget < 1:
        raise InputError(f"The budget must be 1 or more. Got {budget} instead.")
    found = [(row, replacer.rewritten(item.text, budget, Random(f"{seed}/{row}"))) for row, item in enumerate(items)]
    rewritten = [(row, texts) for row, texts in found if texts]
    if not rewritten:
        raise InputError("No text has anything to replace; attack other texts, or replace something else.")
    chosen = [items[row] for row, _ in rewritten]
    labels = np.array([item.label for item in chosen])
    # Texts may have fewer replacements than the budget; the first ones are then repeated.
    every = [texts[place % len(texts)] for _, texts in rewritten for place in range(budget)]
    changed = predict(every).reshape(len(chosen), budget, -1)
    first = predict([item.text for item in chosen]).argmax(axis=1)
    predictions = changed.argmax(axis=2)
    margins = _margins(changed, labels)
    every_row = np.arange(len(chosen))
    rng = np.random.default_rng(seed)
    draws = [predictions[every_row, rng.integers(budget, size=len(chosen))] for _ in range(copies)]
    scores = [score(metric, draw, labels) for draw in draws]
    return AttackReport(
        len(chosen),
        budget,
        metric,
        score(metric, first, labels),
        score(metric, predictions[every_row, margins.argmin(axis=1)], labels),
        score(metric, predictions[every_row, margins.argmax(axis=1)], labels),
        100 * float((predictions == predictions[:, :1]).all(axis=1).mean()),
        100 * float((predictions == first[:, None]).all(axis=1).mean()),
        float(np.mean(scores)),
        float(np.std(scores)),
        tuple(row for row, _ in rewritten),
        predictions,
    )


def _margins(probabilities: FloatArray, labels: IndexArray) -> FloatArray:
    """Return how far the right label is ahead of the best other one; below 0, the prediction is wrong."""
    right = np.take_along_axis(probabilities, labels[:, None, None], axis=2)[:, :, 0]
    others = probabilities.copy()
    np.put_along_axis(others, labels[:, None, None], -np.inf, axis=2)
    margins: FloatArray = right - others.max(axis=2)
    return margins


def score(metric: Metric, predictions: IndexArray, labels: IndexArray) -> float:
    """Return the accuracy, or the F1 of label 1, in percent.

    >>> score("f1", np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0]))
    50.0
    """
    right: BoolArray = predictions == labels
    if metric == "accuracy":
        return 100 * float(right.mean())
    hits = int((right & (labels == POSITIVE)).sum())
    found = int((predictions == POSITIVE).sum()) + int((labels == POSITIVE).sum())
    return 100 * 2 * hits / found if found else 0.0


def words_replaced(text: Text, new: Mapping[str, str]) -> Text:
    """Return a text with other words; what is replaced is a whole word, or several, as it is written.

    >>> words_replaced(("Lee, Lee's and Lee-like",), {"Lee": "Ray"})
    ("Ray, Ray's and Lee-like",)
    """
    if all(WORD.fullmatch(old) for old in new):  # no pattern is compiled, which would take longer than all else
        return tuple(WORD.sub(lambda found: new.get(found[0], found[0]), part) for part in text)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, new))})(?![\w-])")
    return tuple(pattern.sub(lambda found: new[found[0]], part) for part in text)
