"""The interface of a post-processing step, before and after it is fitted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.errors import InputError
from everyword.space.moments import Arrays, Fit
from everyword.space.rows import apply_by_blocks, checked_rows


class Step(ABC):
    """A frozen dataclass of options; `fit` learns from a matrix what the step needs for any row.

    A subclass implements the fit and the change of rows, and has no state of its own.
    """

    NAME: ClassVar[str]

    @abstractmethod
    def learn(self, matrix: FloatArray) -> Fit:
        """Fit to the rows of a space."""

    @abstractmethod
    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """Return the changed rows; the input is not changed."""

    def fit(self, matrix: AnyArray) -> FittedStep:
        """Validate a matrix and fit the step to its rows."""
        rows = checked_rows(matrix)
        if len(rows) == 0:
            raise InputError(f"The step {self.NAME!r} cannot be fitted to 0 rows; give it a table with words.")
        arrays, facts = self.learn(rows)
        return FittedStep(self, rows.shape[1], arrays, facts)


@dataclass(frozen=True)
class FittedStep:
    """A step with its fit; works on any rows of the same dimension."""

    step: Step
    dim: int
    """Dimension before the step."""
    arrays: Arrays
    facts: Mapping[str, float]

    @property
    def dim_out(self) -> int:
        """Dimension after the step."""
        return int(self.change(np.zeros((1, self.dim), dtype=np.float32)).shape[1])

    def change(self, rows: FloatArray) -> FloatArray:
        """Apply the step to one block of rows."""
        return self.step.change(rows, self.arrays)

    def apply(self, matrix: FloatArray, *, in_place: bool = False) -> FloatArray:
        """Apply the step to all rows; `in_place` overwrites the matrix if its shape stays the same."""
        dim_out = self.dim_out
        return apply_by_blocks(self.change, matrix, dim_out, in_place=in_place and dim_out == self.dim)
