"""Two curves of a classifier over word vectors: accuracy by misspelt words, and by noise in the vectors themselves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.robustness.attack import Item, attack
from everyword.evaluation.robustness.typos import SHORTEST, TypoReplacer
from everyword.evaluation.robustness.vector_classifier import VectorClassifier
from everyword.evaluation.robustness.vector_noise import random_case, worst_case
from everyword.sentences.tokens import tokens_of

SHARES = (0.1, 0.25, 0.5, 1.0)
RADII = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
BUDGET = 5
WORDS = 1000
"""How many words are misspelt to see how far their vectors move."""


def noise_curves(classifier: VectorClassifier, items: Sequence[Item], *, seeds: int = 1) -> dict[str, Any]:
    """Return both curves for texts, not for pairs: rows of strength, accuracy at random, and in the worst case.

    Misspellings: the strength is the share of words of four letters and more; the worst case is that of five tries.
    Noise: the strength is the radius by which every vector moves, in parts of the mean length of a vector; the worst
    case is exact.

    Raises:
        InputError: If the items are pairs of texts.
    """
    if len(items[0].text) != 1 or classifier.fitted is None:
        raise InputError("Curves of noise are drawn for a fitted classifier of single texts.")
    labels = np.array([item.label for item in items])
    means, _ = classifier.means([item.text[0] for item in items])
    clean = 100 * float((classifier.fitted.predict(means) == labels).mean())
    typos = [[0.0, round(clean, 2), round(clean, 2)]]
    for share in SHARES:
        reports = [
            attack(classifier, items, TypoReplacer(share=share), budget=BUDGET, seed=seed) for seed in range(seeds)
        ]
        scores = [float(np.mean([getattr(one, name) for one in reports])) for name in ("random_mean", "worst")]
        typos.append([share, *(round(score, 2) for score in scores)])
    return {"typos": typos, "noise": noise_in_vectors(classifier, items, seeds=seeds)}


def noise_in_vectors(classifier: VectorClassifier, items: Sequence[Item], *, seeds: int = 1) -> list[list[float]]:
    """Return the curve of noise in the vectors of texts: rows of radius, accuracy at random, and in the worst case."""
    assert classifier.fitted is not None
    labels = np.array([item.label for item in items])
    means, counts = classifier.means([item.text[0] for item in items])
    length, noise = mean_length(classifier, items), []
    for radius in RADII:
        moved = [
            random_case(classifier.fitted, means, counts.tolist(), labels, radius * length, seed)
            for seed in range(seeds)
        ]
        worst = worst_case(classifier.fitted, means, labels, radius * length)
        noise.append([radius, round(float(np.mean(moved)), 2), round(worst, 2)])
    return noise


def mean_length(classifier: VectorClassifier, items: Sequence[Item]) -> float:
    """Return the mean length of the vectors of the words of texts; words without a vector do not count."""
    words = sorted({token for item in items for part in item.text for token in tokens_of(part)})
    lengths = np.linalg.norm(classifier.model.encode(words), axis=1)
    return float(lengths[lengths > 0].mean()) if (lengths > 0).any() else 1.0


def typo_radius(classifier: VectorClassifier, items: Sequence[Item], seed: int = 0) -> float:
    """Return how far a misspelling moves a vector: the mean distance, in parts of the mean length of a vector."""
    words = sorted({token for item in items for part in item.text for token in tokens_of(part)})
    able = [word for word in words if len(word) >= SHORTEST and word.isalpha()]
    rng = Random(seed)
    chosen = rng.sample(able, min(WORDS, len(able)))
    replacer = TypoReplacer()
    typos = [replacer.typo(word, rng) for word in chosen]
    moved = classifier.model.encode(typos) - classifier.model.encode(chosen)
    return round(float(np.linalg.norm(moved, axis=1).mean()) / mean_length(classifier, items), 3)
