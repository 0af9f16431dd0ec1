"""Analogies of feature tuples: the answer is the word closest to b and c together without a."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from everyword.arrays import AnyArray, IndexArray
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.tasks.closeness import fitted_features
from everyword.space.divergences import Targets
from everyword.space.feature_tuple import analogy_tuples
from everyword.space.moments import DoubleArray
from everyword.space.rows import blocks
from everyword.space.scorer import Scorer
from everyword.space.steps.base import FittedStep

Score = Callable[[IndexArray, IndexArray, IndexArray], AnyArray]
"""Rows of a, b and c → a new array with a score for each question and candidate."""


def tuple_rules(model: EvaluatedModel, words: Sequence[str]) -> dict[str, Callable[[slice], Score]]:
    """Return the rules about feature tuples of the question words, and the baseline that ignores a and b."""
    scorer = model.scorer or Scorer()
    fitted = fitted_features(model, scorer)
    asked = fitted.change(model.encode(list(words))).astype(np.float64)
    size = _mean_cardinality(fitted, model.candidate_vectors)

    def of_block(without_a_and_b: bool) -> Callable[[slice], Score]:
        def rule(part: slice) -> Score:
            targets = Targets(fitted.change(model.candidate_vectors[part]))

            def score(a: IndexArray, b: IndexArray, c: IndexArray) -> AnyArray:
                sought = asked[c] if without_a_and_b else analogy_tuples(asked[a], asked[b], asked[c])
                if scorer.renormalise and not without_a_and_b:
                    sought = _resized(sought, size)
                found = targets.compare(scorer.measure, scorer.direction, sought)
                return found if scorer.higher_is_closer else -found

            return score

        return rule

    return {"tuples": of_block(False), "only_c": of_block(True)}


def _mean_cardinality(fitted: FittedStep, vectors: AnyArray) -> float:
    parts = blocks(*vectors.shape)
    return sum(float(fitted.change(vectors[part]).sum(dtype=np.float64)) for part in parts) / len(vectors)


def _resized(tuples: DoubleArray, size: float) -> DoubleArray:
    own = tuples.sum(axis=1, keepdims=True)
    resized: DoubleArray = np.minimum(1.0, tuples * np.divide(size, own, out=np.ones_like(own), where=own > 0))
    return resized
