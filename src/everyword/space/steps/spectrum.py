"""Raise or flatten the spectrum: similarity of another order.

Vulić, Korhonen and Glavaš, "Improving Bilingual Lexicon Induction with Unsupervised Post-Processing of Monolingual
Word Vector Spaces" (RepL4NLP 2020), after Artetxe et al. (CoNLL 2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Range
from everyword.space.moments import EMPTY, Arrays, Fit, Moments, principal_directions, single
from everyword.space.steps.base import Step

STEEPEST = 2.0


@dataclass(frozen=True)
class Spectrum(Step):
    """Scale the principal directions by a power of their variance: below 0 flattens, above 0 steepens, -0.5 whitens."""

    NAME: ClassVar[str] = "spectrum.v1"
    alpha: Annotated[float, Range(-STEEPEST, STEEPEST)] = -0.25

    def learn(self, matrix: FloatArray) -> Fit:
        """R = Q Δ^α from XᵀX = Q Δ Qᵀ, so that (XR)(XR)ᵀ = (XXᵀ)ⁿ with n = 2α + 1.

        XᵀX is taken as it is, not centred, and divided by the number of rows: that scales all vectors alike, and
        keeps their numbers in the range of float32. A direction that no row has is left out, whatever the power.
        """
        moments = Moments.of(matrix)
        variances, directions = principal_directions(moments.products / moments.count)
        seen = variances > EMPTY * variances[0]
        scales = np.where(seen, np.where(seen, variances, 1.0) ** self.alpha, 0.0)
        facts = {"order n of the similarity": 2 * self.alpha + 1, "directions": float(seen.sum())}
        return Fit({"rotation": single(directions * scales)}, facts)

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """X R."""
        changed: FloatArray = rows @ arrays["rotation"]
        return changed
