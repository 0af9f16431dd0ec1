"""Subtract the mean vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.moments import Arrays, Learned, mean_row, single
from everyword.space.steps.base import Step


@dataclass(frozen=True)
class Centre(Step):
    """Subtract the mean of each column."""

    NAME: ClassVar[str] = "centre.v1"

    def learn(self, matrix: FloatArray) -> Learned:
        """The mean of each column; never one number for all (a fault of published code)."""
        mean = mean_row(matrix)
        return Learned({"mean": single(mean)}, {"length of the mean": float(np.linalg.norm(mean))})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """Subtract it."""
        changed: FloatArray = rows - arrays["mean"]
        return changed
