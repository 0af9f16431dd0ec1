"""Whitening with a brake: directions of large spread are shortened, those of little spread are not blown up.

Fitted to a space it evens out its directions. Fitted to the differences of words that mean the same, it shortens the
directions in which synonyms differ: what Fisher's discriminant does with the spread inside a class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.config import Fraction, Positive
from everyword.space.moments import Arrays, Fit, Moments, principal_directions, single
from everyword.space.steps.base import Step


@dataclass(frozen=True)
class Whiten(Step):
    """X (S + s·mean(S)·I)^-p, where S is the spread XᵀX / n and mean(S) its mean over all directions."""

    NAME: ClassVar[str] = "whiten.v1"
    power: Fraction = 0.5
    """0.5 whitens, 0 changes nothing."""
    shrinkage: Positive = 1.0
    """How much of the mean spread every direction gets; the larger, the milder."""

    def learn(self, matrix: FloatArray) -> Fit:
        """The symmetric map; XᵀX is taken as it is, so that differences are measured from zero."""
        moments = Moments.of(matrix)
        spread, directions = principal_directions(moments.products / moments.count)
        mean = float(spread.mean()) or 1.0
        scales = (spread / mean + self.shrinkage) ** -self.power
        change = (directions * scales) @ directions.T
        return Fit({"map": single(change)}, {"strongest to weakest": float(scales[-1] / scales[0])})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """X W."""
        changed: FloatArray = rows @ arrays["map"]
        return changed
