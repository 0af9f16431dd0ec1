"""Noise in the vectors themselves: what a linear classifier over means of word vectors still gets right.

If every vector of a text may move by up to a radius, so may their mean, in any direction: the margin between the right
label and another one shrinks by at most radius · |w_right − w_other|, and the vectors that all move there reach it. So
the worst case is exact. Random noise moves every vector in a direction of its own, and the mean hardly at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.vectors.neighbours import unit_rows


def worst_case(classifier: LogisticRegression, means: FloatArray, labels: IndexArray, radius: float) -> float:
    """Return the accuracy in percent if all vectors of all texts move by a radius, where it hurts most.

    Args:
        classifier: Trained on the means of vectors.
        means: The means of the vectors of texts, a row per text.
        labels: Their labels.
        radius: How far each vector may move.
    """
    scores = classifier.scores(means)
    rows = np.arange(len(labels))
    weights = classifier.weights[:-1] * classifier.scale
    distances = np.linalg.norm(weights[:, :, None] - weights[:, None, :], axis=0)
    lost = scores[rows, labels][:, None] - scores - np.float32(radius) * distances[labels]
    lost[rows, labels] = np.inf
    return 100 * float((lost.min(axis=1) > 0).mean())


def random_case(  # noqa: PLR0917 (means, counts and labels stand side by side)
    classifier: LogisticRegression,
    means: FloatArray,
    counts: Sequence[int],
    labels: IndexArray,
    radius: float,
    seed: int = 0,
) -> float:
    """Return the accuracy in percent if each vector of each text moves by a radius in a random direction.

    Args:
        classifier: Trained on the means of vectors.
        means: The means of the vectors of texts, a row per text.
        counts: How many vectors each mean is of.
        labels: Their labels.
        radius: How far each vector moves.
        seed: Of the random numbers.
    """
    rng = np.random.default_rng(seed)
    moved = means.copy()
    for row, count in enumerate(counts):
        if count:
            steps = unit_rows(rng.normal(size=(count, means.shape[1])).astype(np.float32))
            moved[row] += np.float32(radius) * steps.mean(axis=0)
    return 100 * float((classifier.predict(moved) == labels).mean())
