"""What a post-processing step is, before and after it has seen a space."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.errors import InputError
from everyword.space.moments import Arrays, Learned
from everyword.space.rows import apply_by_blocks, checked_rows


class Step(ABC):
    """A frozen dataclass of options; `fit` learns from a matrix what the step needs for any row.

    A subclass says what it learns and how it changes rows; it never keeps anything itself.
    """

    NAME: ClassVar[str]

    @abstractmethod
    def learn(self, matrix: FloatArray) -> Learned:
        """What the rows of a space tell."""

    @abstractmethod
    def change(self, rows: FloatArray, arrays: Arrays) -> FloatArray:
        """New rows; those given stay as they are."""

    def fit(self, matrix: AnyArray) -> FittedStep:
        """Learn from the rows of a matrix."""
        rows = checked_rows(matrix)
        if len(rows) == 0:
            raise InputError(f"The step {self.NAME!r} cannot be fitted to 0 rows; give it a table with words.")
        arrays, facts = self.learn(rows)
        return FittedStep(self, rows.shape[1], arrays, facts)


@dataclass(frozen=True)
class FittedStep:
    """A step and what it learnt; works on any rows of the dimension it was fitted to."""

    step: Step
    dim: int
    """Numbers in a row before the step."""
    arrays: Arrays
    facts: Mapping[str, float]

    @property
    def dim_out(self) -> int:
        """Numbers in a row after the step."""
        return int(self.change(np.zeros((1, self.dim), dtype=np.float32)).shape[1])

    def change(self, rows: FloatArray) -> FloatArray:
        """The step on one block of rows."""
        return self.step.change(rows, self.arrays)

    def apply(self, matrix: FloatArray, *, in_place: bool = False) -> FloatArray:
        """The step on all rows; `in_place` overwrites the matrix where its shape stays the same."""
        dim_out = self.dim_out
        return apply_by_blocks(self.change, matrix, dim_out, in_place=in_place and dim_out == self.dim)
