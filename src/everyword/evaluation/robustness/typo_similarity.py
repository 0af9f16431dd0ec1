"""Similarity under typos: how much of the ranking remains when the first word of each pair is misspelt?

There are two families of errors, because robustness against the errors of the training data is not robustness. "typo"
is the four keyboard errors that LOVE is trained on; "ocr" is what scanners misread, which no model of ours is trained
on.
"""

from __future__ import annotations

from random import Random

import numpy as np

from everyword import registry
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import FAMILIES
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.closeness import pair_cosines
from everyword.evaluation.tasks.similarity import SimilaritySet, both_known, correlation_of, spearman
from everyword.text.corruption import Corruption

SEEDS = 5
ERRORS = ("typo", "ocr")


def corrupted(data: SimilaritySet, kinds: list[Corruption], seed: int) -> list[tuple[str, str]]:
    """Return the pairs with one error in each first word; words that are too short stay as they are."""
    rng = Random(seed)
    return [(rng.choice(kinds)(first, rng), second) for first, second in data.pairs]


def run(model: EvaluatedModel, data: SimilaritySet, seed: int) -> Scores:
    """Score clean and corrupted pairs, the share of the clean score that is kept, and the share of words changed."""
    both = both_known(data.pairs, model.known)
    if model.policy == "zero" and not both.any():
        raise NoOverlapError(f"No pair of {data.name} has both words in {model.name}; is it of another language?")
    cosines = pair_cosines(data.pairs, model.units)
    clean = 100 * spearman(cosines, data.scores)
    values: dict[str, float | None] = {"clean": clean, "clean_known": correlation_of(both, cosines, data.scores)}
    spread = {}
    for family in ERRORS:
        kinds = [registry.corruptions.get(name) for name in FAMILIES[family]]
        runs = [corrupted(data, kinds, seed + number) for number in range(SEEDS)]
        # All seeds at once: one call of the encoder instead of many.
        together = pair_cosines([pair for pairs in runs for pair in pairs], model.units).reshape(SEEDS, -1)
        scores = [100 * spearman(row, data.scores) for row in together]
        values[family] = float(np.mean(scores))
        values[f"{family}_known"] = _mean([correlation_of(both, row, data.scores) for row in together])
        values[f"{family}_kept"] = 100 * float(np.mean(scores)) / clean if clean > 0 else None
        changed = [new[0] != old[0] for pairs in runs for new, old in zip(pairs, data.pairs, strict=True)]
        values[f"{family}_changed"] = 100 * float(np.mean(changed))
        spread[family] = float(np.std(scores))
    return Scores(values, len(data.pairs), int(both.sum()), spread, SEEDS)


def _mean(scores: list[float | None]) -> float | None:
    found = [score for score in scores if score is not None]
    return float(np.mean(found)) if found else None


TASK = Task(
    name="typo-similarity",
    version=1,
    kind="similarity",
    summary="Similarity with a typo, or a scanner's error, in the first word of each pair. Spearman.",
    main="typo",
    load=SimilaritySet.load,
    run=run,
)
