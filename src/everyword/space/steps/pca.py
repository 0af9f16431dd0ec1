"""Principal components: fewer numbers a word, and how much that loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.config import Count
from everyword.errors import InputError
from everyword.space.moments import Arrays, Fit, Moments, principal_directions, share, single
from everyword.space.steps.base import Step


@dataclass(frozen=True)
class Pca(Step):
    """Keep the directions of largest variance about the mean."""

    NAME: ClassVar[str] = "pca.v1"
    dims: Count

    def learn(self, matrix: FloatArray) -> Fit:
        """The mean and the first eigenvectors of the covariance of the columns."""
        check_room(self.dims, *matrix.shape)
        moments = Moments.of(matrix)
        variances, directions = principal_directions(moments.covariance)
        kept = share(variances[: self.dims], variances)
        basis = directions[:, : self.dims]
        return Fit({"mean": single(moments.mean), "basis": single(basis)}, {"variance kept": kept})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """(X - μ) Q."""
        centred: FloatArray = rows - arrays["mean"]
        changed: FloatArray = centred @ arrays["basis"]
        return changed


def check_room(dims: int, count: int, dim: int) -> None:
    """Directions cannot be more than the data has."""
    if dims > min(count, dim):
        raise InputError(
            f"{dims} dimensions cannot be kept of {count} vectors of dimension {dim}; "
            f"ask for {min(count, dim)} or fewer."
        )
