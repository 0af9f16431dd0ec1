"""Turn vectors into tuples of feature probabilities.

After Bhat, Debnath, Banerjee and Shrivastava, "Word Embeddings as Tuples of Feature Probabilities" (RepL4NLP 2020).
`everyword.space.fuzzy` has the operations on the tuples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Range
from everyword.space.moments import Arrays, Fit, single
from everyword.space.rows import blocks
from everyword.space.steps.base import Step
from everyword.vectors.neighbours import unit_rows

Normalise = Literal["column", "row", "none"]


@dataclass(frozen=True)
class Features(Step):
    """Exponentiate every number and normalise: how likely is it that the word has the feature?

    With "column" each feature is a distribution over the words of the fit, with "row" each word is one over the
    features, and with "none" powers are only limited to 1.
    """

    NAME: ClassVar[str] = "features.v1"
    normalise: Normalise = "column"
    base: Annotated[float, Range(1, open_low=True)] = math.e
    unit: bool = False
    """Whether vectors are scaled to length 1 first."""

    def learn(self, matrix: FloatArray) -> Fit:
        """The logarithm of the sum of each column's powers; nothing for "row" and "none"."""
        return self.learn_from(matrix[part] for part in blocks(*matrix.shape))

    def learn_from(self, parts: Iterable[FloatArray]) -> Fit:
        """Fit to rows that come in blocks."""
        if self.normalise != "column":
            return Fit({}, {})
        highest, total, count = np.float32(-np.inf), np.float64(0), 0
        for part in parts:
            powers = self.exponents(part)
            top = np.maximum(highest, powers.max(axis=0))
            sums = np.exp(powers - top).sum(axis=0, dtype=np.float64)
            total = total * np.exp((highest - top).astype(np.float64)) + sums
            highest, count = top, count + len(part)
        return Fit({"log_normaliser": single(highest + np.log(total))}, {"mean of a feature": 1 / count})

    def exponents(self, rows: FloatArray) -> FloatArray:
        """The natural logarithms of the powers, in a new array."""
        scaled: FloatArray = (unit_rows(rows) if self.unit else rows) * np.float32(math.log(self.base))
        return scaled

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """base^x, divided by the sum of its column or row and limited to 1."""
        powers = self.exponents(rows)
        if self.normalise == "column":
            powers -= arrays["log_normaliser"]
        elif self.normalise == "row":
            powers -= powers.max(axis=1, keepdims=True)
            powers -= np.log(np.exp(powers).sum(axis=1, keepdims=True, dtype=np.float64)).astype(np.float32)
        probabilities: FloatArray = np.exp(np.minimum(powers, np.float32(0)))
        return probabilities
