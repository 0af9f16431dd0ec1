"""How sure a blended vector is: the cosine to the true vector that words blended like this one had on the average."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.blend.segments import segment_starts
from everyword.models.blend.weights import Weights

SIGNS = ("agreement", "greatest share", "share of the form", "concentration", "form agrees")


def signs_of_certainty(blended: FloatArray, form: FloatArray, weights: Weights, place: IndexArray) -> FloatArray:
    """What tells a sure blend from a guess, (words, SIGNS).

    `blended` is the weighted mean of unit vectors: the more its parts agree, the longer it is.
    """
    starts = segment_starts(place)
    length = np.linalg.norm(blended, axis=1)
    columns = (
        length,
        np.maximum(np.maximum.reduceat(weights.candidates, starts), weights.form),
        weights.form,
        np.add.reduceat(weights.candidates**2, starts) + weights.form**2,
        (blended * form).sum(axis=1) / np.maximum(length, np.finfo(np.float32).tiny),
    )
    return np.stack(columns, axis=1).astype(np.float32)


class Confidence:
    """A small network from the signs to the expected cosine, fitted by `everyword.training.gate`."""

    def __init__(self, tables: Mapping[str, FloatArray]) -> None:
        self.tables = dict(tables)

    def __call__(self, signs: FloatArray) -> FloatArray:
        """The expected cosine of each word, between 0 and 1."""
        tables = self.tables
        hidden = np.maximum(signs @ tables["signs"] + tables["bias"], 0)
        expected: FloatArray = np.clip(hidden @ tables["score"] + tables["score_bias"], 0, 1)
        return expected
