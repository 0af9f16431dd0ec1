"""Principal components: fewer numbers a word, and how much that loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.space.moments import Arrays, Learned, Moments, principal_directions, share, single
from everyword.space.steps.base import Step


@dataclass(frozen=True)
class Pca(Step):
    """Keep the directions of largest variance about the mean."""

    NAME: ClassVar[str] = "pca.v1"
    dims: int

    def problems(self) -> Iterator[str]:
        """What the options must keep to."""
        if self.dims < 1:
            yield f"'dims' must be at least 1. Got {self.dims} instead"

    def learn(self, matrix: FloatArray) -> Learned:
        """The mean and the first eigenvectors of the covariance of the columns."""
        check_room(self.dims, *matrix.shape)
        moments = Moments.of(matrix)
        variances, directions = principal_directions(moments.covariance)
        kept = share(variances[: self.dims], variances)
        basis = directions[:, : self.dims]
        return Learned({"mean": single(moments.mean), "basis": single(basis)}, {"variance kept": kept})

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
