"""How close words are to each other, by the scorer of a model: the cosine, or a measure of feature tuples.

The normalisers of feature tuples are those of the model's candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.space import divergences
from everyword.space.moments import DoubleArray
from everyword.space.scorer import Scorer
from everyword.space.steps.base import FittedStep

Closeness = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def pair_closeness(model: EvaluatedModel, pairs: Sequence[tuple[str, str]]) -> Closeness:
    """Return how close the words of each pair are; higher is closer."""
    if model.scorer is None:
        return pair_cosines(pairs, model.units)
    words = [pair[side] for side in (0, 1) for pair in pairs]
    first, second = np.split(feature_tuples(model, model.scorer, words), 2)
    return closeness_of(model.scorer, first, second)


def pair_cosines(
    pairs: Sequence[tuple[str, str]], units: Callable[[Sequence[str]], FloatArray]
) -> npt.NDArray[np.float32]:
    """Return the cosine of each pair; `units` turns words into unit vectors."""
    first, second = (units([pair[side] for pair in pairs]) for side in (0, 1))
    cosines: npt.NDArray[np.float32] = np.einsum("ij,ij->i", first, second)
    return cosines


def feature_tuples(model: EvaluatedModel, scorer: Scorer, words: Sequence[str]) -> DoubleArray:
    """Return the feature tuples of words."""
    rows = {word: row for row, word in enumerate(dict.fromkeys(words))}
    tuples: DoubleArray = fitted_features(model, scorer).change(model.encode(list(rows))).astype(np.float64)
    return tuples[[rows[word] for word in words]]


def fitted_features(model: EvaluatedModel, scorer: Scorer) -> FittedStep:
    """Return the step that makes feature tuples, fitted to the model's candidates."""
    return scorer.features.fit(model.candidate_vectors)


def closeness_of(scorer: Scorer, first: DoubleArray, second: DoubleArray) -> DoubleArray:
    """Return how close each pair of tuples is; higher is closer."""
    found = divergences.of_pairs(scorer.measure, scorer.direction, first, second)
    return found if scorer.higher_is_closer else -found
