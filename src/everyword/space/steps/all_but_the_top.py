"""All-but-the-top: remove the mean and the few directions that all words share.

Mu and Viswanath, "All-but-the-Top" (ICLR 2018), algorithm 1; judged in "On Dimensional Linguistic Properties of the
Word Embedding Space" (RepL4NLP 2020), where it helps similarity and not always classification.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.config import Count
from everyword.errors import InputError
from everyword.space.moments import Arrays, Fit, Moments, principal_directions, share, single
from everyword.space.steps.base import Step


@dataclass(frozen=True)
class AllButTheTop(Step):
    """Subtract the mean and remove the directions of largest variance."""

    NAME: ClassVar[str] = "all-but-the-top.v1"
    components: Count = 3

    def learn(self, matrix: FloatArray) -> Fit:
        """The mean μ and the top directions u₁ … u_D of the centred rows."""
        if self.components >= matrix.shape[1]:
            raise InputError(
                f"All-but-the-top can remove fewer directions than there are: got {self.components} for vectors of "
                f"dimension {matrix.shape[1]}; a hundredth of the dimension is usual."
            )
        moments = Moments.of(matrix)
        variances, directions = principal_directions(moments.covariance)
        top = directions[:, : self.components]
        removed = share(variances[: self.components], variances)
        return Fit({"mean": single(moments.mean), "top": single(top)}, {"variance removed": removed})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """v ← v - μ, then v ← v - Σᵢ (uᵢᵀ v) uᵢ."""
        centred = rows - arrays["mean"]
        centred -= (centred @ arrays["top"]) @ arrays["top"].T
        return centred
