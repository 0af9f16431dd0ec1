"""Scale every vector to length 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from everyword.arrays import FloatArray
from everyword.space.moments import Arrays, Fit
from everyword.space.steps.base import Step
from everyword.vectors.neighbours import unit_rows


@dataclass(frozen=True)
class UnitRows(Step):
    """Scale every vector to length 1; zero vectors stay zero."""

    NAME: ClassVar[str] = "unit-rows.v1"

    def learn(self, matrix: FloatArray) -> Fit:
        """Nothing: each row is scaled on its own."""
        return Fit({}, {})

    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """Scale them."""
        return unit_rows(rows)
