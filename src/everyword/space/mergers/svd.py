"""The concatenation, cut to its strongest directions (Yin and Schütze, ACL 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.config import Count
from everyword.space.mergers.base import Evidence, Merger, Parts
from everyword.space.moments import Arrays, Fit, principal_directions, share, single
from everyword.space.steps.pca import check_room


@dataclass(frozen=True)
class Svd(Merger):
    """The weighted concatenation on its strongest singular directions."""

    NAME: ClassVar[str] = "svd.v1"
    dims: Count = 300

    def learn(self, evidence: Evidence) -> Fit:
        """The right singular vectors V of the concatenation C, from CᵀC: d × d, whatever the number of words."""
        moments = evidence.everything()
        check_room(self.dims, moments.count, sum(evidence.dims))
        energies, directions = principal_directions(moments.products)
        kept = share(energies[: self.dims], energies)
        return Fit({"basis": single(directions[:, : self.dims])}, {"variance kept": kept})

    def combine(self, parts: Parts, weights: Sequence[float], arrays: Arrays) -> FloatArray:
        """C V, which is U Σ: the singular values stay in, and `spectrum:-0.5` afterwards takes them out."""
        merged: FloatArray = parts.weighted(weights) @ arrays["basis"]
        return merged
