"""The mean of the sources, shorter vectors padded with zeros (Coates and Bollegala, NAACL 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.mergers.base import Evidence, Merger, Parts, mean_of_present
from everyword.space.moments import Arrays, Fit


@dataclass(frozen=True)
class Average(Merger):
    """The weighted mean, shorter vectors padded with zeros."""

    NAME: ClassVar[str] = "average.v1"

    def learn(self, evidence: Evidence) -> Fit:
        return Fit({}, {})

    def combine(self, parts: Parts, weights: Sequence[float], arrays: Arrays) -> FloatArray:
        """Σ w_k x_k / Σ w_k over the sources that have the word."""
        dim = max(rows.shape[1] for rows in parts.rows)
        padded = tuple(np.pad(rows, ((0, 0), (0, dim - rows.shape[1]))) for rows in parts.rows)
        return mean_of_present(Parts(padded, parts.present), weights)
