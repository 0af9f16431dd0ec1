"""How sure a blended vector is: the cosine to the true vector that words blended like this one had on the average."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.blend.mixture import Mixture
from everyword.models.retrieval.runs import run_starts

SIGNS = ("agreement", "greatest share", "share of the form", "concentration", "form agrees")
TINY = np.finfo(np.float32).tiny


def signs_of_certainty(mixture: Mixture) -> FloatArray:
    """What tells a sure blend from a guess, (words, SIGNS)."""
    starts, weights = run_starts(mixture.candidates.place), mixture.weights
    length = np.linalg.norm(mixture.blended, axis=1)
    columns = (
        length,
        np.maximum(np.maximum.reduceat(weights.candidates, starts), weights.form),
        weights.form,
        np.add.reduceat(weights.candidates**2, starts) + weights.form**2,
        (mixture.blended * mixture.form).sum(axis=1) / np.maximum(length, TINY),
    )
    return np.stack(columns, axis=1).astype(np.float32)


class Confidence:
    """A small network from the signs to the expected cosine, fitted by `everyword.systems.spelling.gate_network`."""

    def __init__(self, tables: Mapping[str, FloatArray]) -> None:
        self.tables = dict(tables)

    def __call__(self, signs: FloatArray) -> FloatArray:
        """The expected cosine of each word, between 0 and 1."""
        tables = self.tables
        hidden = np.maximum(signs @ tables["signs"] + tables["bias"], 0)
        expected: FloatArray = np.clip(hidden @ tables["score"] + tables["score_bias"], 0, 1)
        return expected
