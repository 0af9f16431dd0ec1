"""Is attention an explanation? What happens to a model's labels when its attention is changed or its words are erased.

Tutek and Šnajder, "Staying True to Your Word: (How) Can Attention Become Explanation?" (RepL4NLP 2020). Works for every
model that gives attention: `AttentionClassifier` of `systems/classifiers` is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError

Text = Sequence[str]
Metric = Callable[[IndexArray, IndexArray], float]
"""Takes the right labels and those of a model; gives a score in percent."""


class Reading(Protocol):
    """A text as a model has read it."""

    @property
    def weights(self) -> FloatArray:
        """The attention of each word; they sum to 1."""

    @property
    def token_scores(self) -> FloatArray:
        """The scores of labels with all attention on one word, (words, labels)."""


class AttentionModel(Protocol):
    """A classifier that gives its attention and takes another."""

    def predict(self, texts: Sequence[Text], weights: Sequence[FloatArray] | None = None) -> FloatArray:
        """Return the probability of each label, with these weights instead of its own if any are given."""

    def read(self, texts: Sequence[Text]) -> Sequence[Reading]:
        """Return its attention."""


@dataclass(frozen=True)
class AttentionScores:
    """How much attention matters. Scores and drops are points of the metric, shares lie between 0 and 1."""

    score: float
    uniform_drop: float
    """The score less that with the same attention for all words."""
    permuted_drop: float
    """The score less that with the weights of a text in random order, the mean of several."""
    confidence: float
    """The mean probability of the predicted label with all attention on one word, over words of texts that are right.
    High where every state knows the answer, wherever attention points."""
    erased_first: float
    """The share of labels that change when the word with the most attention is left out of a text."""
    erased_random: float
    """The same for a random word: what leaving out any word does."""
    texts: int


def measure_attention(
    model: AttentionModel,
    texts: Sequence[Text],
    labels: IndexArray,
    metric: Metric,
    *,
    permutations: int = 3,
    seed: int = 0,
) -> AttentionScores:
    """Measure how much the attention of a model matters for its labels.

    Args:
        model: Gives and takes attention.
        texts: Texts as words; texts of one word are not counted where a word is left out.
        labels: The right label of each, a number.
        metric: The score.
        permutations: How many random orders of the weights are tried.
        seed: Of the random orders, and of the random words.

    Raises:
        InputError: If there are no texts, or not as many labels.
    """
    if not texts or len(texts) != len(labels):
        raise InputError(f"Each text needs a label, and there must be one or more. Got {len(texts)} and {len(labels)}.")
    rng = np.random.default_rng(seed)
    readings = model.read(texts)
    own = [reading.weights for reading in readings]
    predicted = model.predict(texts).argmax(axis=1)
    score = metric(labels, predicted)
    even = metric(labels, model.predict(texts, [uniform(weights) for weights in own]).argmax(axis=1))
    shuffled = [
        metric(labels, model.predict(texts, [permuted(weights, rng) for weights in own]).argmax(axis=1))
        for _ in range(permutations)
    ]
    right = np.flatnonzero(predicted == labels).tolist()
    return AttentionScores(
        score,
        score - even,
        score - float(np.mean(shuffled)),
        token_confidence([readings[row] for row in right], predicted[right]),
        erasure(model, texts, predicted, [int(weights.argmax()) for weights in own]),
        erasure(model, texts, predicted, [int(rng.integers(len(weights))) for weights in own]),
        len(texts),
    )


def uniform(weights: FloatArray) -> FloatArray:
    """Return the same weight for all words."""
    return np.full(len(weights), 1 / len(weights), dtype=np.float32)


def permuted(weights: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return the same weights in random order."""
    return weights[rng.permutation(len(weights))]


def token_confidence(readings: Sequence[Reading], predicted: IndexArray) -> float:
    """Return the mean probability of each text's label with all attention on one of its words; 0 without texts."""
    found = []
    for reading, label in zip(readings, predicted, strict=True):
        scores = reading.token_scores.astype(np.float64)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        found.append(powers[:, label] / powers.sum(axis=1))
    return float(np.concatenate(found).mean()) if found else 0.0


def erasure(model: AttentionModel, texts: Sequence[Text], predicted: IndexArray, places: Sequence[int]) -> float:
    """Return the share of labels that change when one word, given by its place, is left out of each text."""
    rows = [row for row, text in enumerate(texts) if len(text) > 1]
    if not rows:
        return 0.0
    shorter = [[*texts[row][: places[row]], *texts[row][places[row] + 1 :]] for row in rows]
    changed = model.predict(shorter).argmax(axis=1) != predicted[rows]
    return float(changed.mean())


def total_variation(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return half the sum of differences of distributions, row by row: between 0 and 1."""
    distance: FloatArray = np.abs(first - second).sum(axis=-1) / np.float32(2)
    return distance


def jensen_shannon(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the Jensen-Shannon divergence of distributions in bits, row by row: between 0 and 1."""
    middle: FloatArray = (first + second) / np.float32(2)
    one, other = _divergence(first, middle), _divergence(second, middle)
    divergence: FloatArray = (one + other) / np.float32(2)
    return divergence


def _divergence(first: FloatArray, second: FloatArray) -> FloatArray:
    ratio = np.divide(first, second, out=np.ones_like(second), where=(first > 0) & (second > 0))
    divergence: FloatArray = (first * np.log2(ratio)).sum(axis=-1)
    return divergence
