"""Subtract the mean vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.moments import Arrays, Fit, mean_row, single
from everyword.space.steps.base import Step


@dataclass(frozen=True)
class Centre(Step):
    """Subtract the mean of each column."""

    NAME: ClassVar[str] = "centre.v1"

    def learn(self, matrix: FloatArray) -> Fit:
        """The mean of each column; never one number for all (a fault of published code)."""
        mean = mean_row(matrix)
        return Fit({"mean": single(mean)}, {"length of the mean": float(np.linalg.norm(mean))})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        changed: FloatArray = rows - arrays["mean"]
        return changed
