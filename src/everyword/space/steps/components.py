"""Some of the principal components: a block of them, or a single one.

Raunak, Kumar, Gupta and Metze, "On Dimensional Linguistic Properties of the Word Embedding Space" (RepL4NLP 2020),
where the top, middle and bottom third are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.config import Count
from everyword.space.moments import Arrays, Fit, Moments, principal_directions, share, single
from everyword.space.steps.base import Step
from everyword.space.steps.pca import check_room


@dataclass(frozen=True)
class Components(Step):
    """Keep the principal components from the first to the last, counted from 1 by decreasing variance."""

    NAME: ClassVar[str] = "components.v1"
    first: Count = 1
    last: Count | None = None
    """None for all that follow the first."""

    def problems(self) -> Iterator[str]:
        if self.last is not None and self.last < self.first:
            yield f"last must not be below first. Got {self.first} to {self.last}"

    def learn(self, matrix: FloatArray) -> Fit:
        """The mean, and the eigenvectors of the covariance that are kept."""
        check_room(self.last or self.first, *matrix.shape)
        moments = Moments.of(matrix)
        variances, directions = principal_directions(moments.covariance)
        chosen = slice(self.first - 1, self.last)
        kept = share(variances[chosen], variances)
        return Fit({"mean": single(moments.mean), "basis": single(directions[:, chosen])}, {"variance kept": kept})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """(X - μ) [u_first … u_last]."""
        centred: FloatArray = rows - arrays["mean"]
        changed: FloatArray = centred @ arrays["basis"]
        return changed
