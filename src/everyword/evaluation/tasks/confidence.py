"""Confidence: is it higher for tokens that were read correctly than for others? The area under the ROC curve.

A token of `kinds` is read correctly if an accepted word is among its ten nearest candidates, a misspelling if its
correct word is the nearest. The area is the share of pairs of a correct and a wrong reading in which the correct one
has more confidence, ties counting half: 50 is chance. A model that gives no confidence trusts known words only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import word_by_word
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks import kinds, misspelling
from everyword.evaluation.tasks.kinds import KindsSet
from everyword.evaluation.tasks.misspelling import MisspellingSet
from everyword.evaluation.tasks.similarity import average_ranks

Right = npt.NDArray[np.bool_]
CHANCE = 50.0


def roc_area(confidences: npt.NDArray[np.float64], right: Right) -> float | None:
    """Return the area under the ROC curve in percent; None if all readings are right, or all wrong.

    >>> roc_area(np.array([0.9, 0.2, 0.5, 0.4]), np.array([True, False, True, True]))
    100.0
    """
    if right.all() or not right.any():
        return None
    ranks = average_ranks(confidences)
    least = (right.sum() + 1) / 2
    return 100 * float((ranks[right].mean() - least) / (~right).sum())


def run_kinds(model: EvaluatedModel, data: KindsSet, seed: int) -> Scores:
    """Score the area over all tokens, over those that are not known, and for each kind with right and wrong ones."""
    right = np.array([reading.hit for reading in kinds.readings(model, data)])
    scores = _scores(model, [token.text for token in data.tokens], right)
    confidences = np.array(scores.items["confidence"])
    areas = {kind: roc_area(confidences[some], right[some]) for kind, some in data.by_kind().items()}
    sections = {kind: {"auc": area} for kind, area in areas.items() if area is not None}
    return Scores(scores.values, scores.n, scores.known, sections=sections, items=scores.items)


def run_misspellings(model: EvaluatedModel, data: MisspellingSet, seed: int) -> Scores:
    """Score the area over all misspellings with a correct word among the candidates, and over those not known."""
    fair, rank = misspelling.ranks_of(model, data)
    return _scores(model, fair, rank == 1)


def _scores(model: EvaluatedModel, words: Sequence[str], right: Right) -> Scores:
    confidences = np.array(model.confidences(words), dtype=np.float64)
    known = np.array([model.known(word) for word in words])
    values: dict[str, float | None] = {"auc": roc_area(confidences, right)}
    if values["auc"] is None:
        values["auc"] = CHANCE
    values["auc_unknown"] = roc_area(confidences[~known], right[~known])
    for name, some in (("right", right), ("wrong", ~right)):
        values[f"confidence_{name}"] = 100 * float(confidences[some].mean()) if some.any() else None
    items = {"confidence": confidences.tolist(), "right": right.astype(int).tolist()}
    return Scores(values, len(words), int(known.sum()), items=items)


READINGS = Task(
    name="reading-confidence",
    version=1,
    kind="kinds",
    summary="Is confidence higher for strange tokens that were read correctly? Area under the ROC curve.",
    main="auc",
    load=KindsSet.load,
    run=run_kinds,
    corrupt=word_by_word(kinds.misspelt),
)
CORRECTIONS = Task(
    name="correction-confidence",
    version=1,
    kind="misspelling",
    summary="Is confidence higher for misspellings that were read correctly? Area under the ROC curve.",
    main="auc",
    load=MisspellingSet.load,
    run=run_misspellings,
    corrupt=word_by_word(misspelling.misspelt),
)
