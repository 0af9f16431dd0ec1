"""All numbers of all sources, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.space.mergers.base import Evidence, Merger, Parts
from everyword.space.moments import Arrays, Fit


@dataclass(frozen=True)
class Concatenate(Merger):
    """All numbers side by side: for unit vectors, a cosine is then the mean of the sources' own, weighted by w²."""

    NAME: ClassVar[str] = "concatenate.v1"

    def learn(self, evidence: Evidence) -> Fit:
        return Fit({}, {})

    def combine(self, parts: Parts, weights: Sequence[float], arrays: Arrays) -> FloatArray:
        """[w₁x₁ ; … ; w_K x_K]."""
        return parts.weighted(weights)
