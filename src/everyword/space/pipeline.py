"""Pipelines: fitted steps in order, applied to a table and to any later vector of the same space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from everyword import registry
from everyword.arrays import MOST_DIMENSIONS, AnyArray, FloatArray
from everyword.errors import InputError
from everyword.space.notation import build_named, read_steps
from everyword.space.record import Contents, write_record
from everyword.space.rows import apply_by_blocks, checked_rows
from everyword.space.steps.base import FittedStep, Step
from everyword.vectors.table import VectorTable

Reporter = Callable[[str], object]
"""Called with a sentence when a long step begins."""


def no_report(_sentence: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class Pipeline:
    """Fitted steps in order."""

    KIND: ClassVar[str] = "postprocess"
    dim: int
    """Dimension before the first step."""
    steps: tuple[FittedStep, ...]

    @classmethod
    def fit(cls, steps: str | Sequence[str | Step], matrix: AnyArray, *, report: Reporter = no_report) -> Pipeline:
        """Fit each step to the output of the steps before it; the matrix is not changed."""
        current = rows = checked_rows(matrix)
        parsed, fitted = read_steps(steps), list[FittedStep]()
        for index, step in enumerate(parsed, 1):
            report(f"fitting {step.NAME} to {len(rows):,} vectors of dimension {current.shape[1]}")
            fitted.append(step.fit(current))
            if index < len(parsed):  # nobody looks at what the last one makes
                current = fitted[-1].apply(current, in_place=current is not rows)
        return cls(rows.shape[1], tuple(fitted))

    @property
    def dim_out(self) -> int:
        """Dimension after the last step."""
        return self.steps[-1].dim_out if self.steps else self.dim

    @property
    def facts(self) -> list[tuple[str, str, float]]:
        """Figures found by the fits: step, name and number."""
        return [(fitted.step.NAME, fact, value) for fitted in self.steps for fact, value in fitted.facts.items()]

    def apply(self, matrix: AnyArray) -> FloatArray:
        """Apply all steps to new vectors, one row per word; the input is not changed."""
        rows = checked_rows(matrix)
        if rows.shape[1] != self.dim:
            raise InputError(
                f"This record was fitted to vectors of dimension {self.dim} and cannot be applied to those of "
                f"dimension {rows.shape[1]}; fit one to them, or give vectors of the same space."
            )
        return apply_by_blocks(self._change, rows, self.dim_out)

    def apply_table(self, table: VectorTable) -> VectorTable:
        """Apply all steps to a table."""
        return VectorTable.from_checked(table.words, self.apply(checked_rows(table.matrix, table.words)))

    def save(self, folder: str | Path) -> None:
        """Write the record; `everyword.space.load_record` reads it."""
        write_record(Path(folder), self.KIND, self.contents())

    def contents(self) -> Contents:
        """The record as plain values and arrays."""
        described = [
            {"name": fitted.step.NAME, "options": asdict(fitted.step), "dim": fitted.dim, "facts": dict(fitted.facts)}  # type: ignore[call-overload]
            for fitted in self.steps
        ]
        arrays = {f"{index}.{name}": a for index, f in enumerate(self.steps) for name, a in f.arrays.items()}
        return Contents({"dim": self.dim, "steps": described}, arrays)

    @classmethod
    def from_contents(cls, contents: Contents) -> Pipeline:
        """Rebuild a pipeline from its contents."""
        steps = [
            _fitted(described, contents.part(str(index)).arrays)
            for index, described in enumerate(contents.described["steps"])
        ]
        return cls(contents.described["dim"], tuple(steps))

    def check(self) -> None:
        """Raise ValueError if steps, arrays and dimensions do not match."""
        dim = self.dim
        if not 1 <= dim <= MOST_DIMENSIONS:
            raise ValueError(f"a dimension of {dim}")
        for fitted in self.steps:
            if fitted.dim != dim:
                raise ValueError(f"{fitted.step.NAME} for dimension {fitted.dim} where {dim} comes in")
            dim = fitted.dim_out
        self.apply(np.zeros((1, self.dim), dtype=np.float32))

    def _change(self, rows: FloatArray) -> FloatArray:
        for fitted in self.steps:
            rows = fitted.change(rows)
        return rows


def _fitted(described: dict[str, Any], arrays: dict[str, FloatArray]) -> FittedStep:
    step = build_named(registry.space_steps, described["name"], described["options"])
    return FittedStep(step, described["dim"], arrays, described["facts"])


class PostprocessResult(NamedTuple):
    """The changed table, and the pipeline that changes later vectors in the same way."""

    table: VectorTable
    record: Pipeline


def postprocess(
    table: VectorTable, steps: str | Sequence[str | Step], *, fit_on: int | None = None, report: Reporter = no_report
) -> PostprocessResult:
    """Fit steps to a table and apply them to it.

    Args:
        table: The table.
        steps: Steps as text (`"centre,pca:256"`) or as a list of texts and steps.
        fit_on: Fit to the first `fit_on` words only.
        report: Called with a sentence when a long step begins.

    Returns:
        The changed table, and the fitted pipeline.

    Raises:
        InputError: If the table is empty or a step does not fit it.

    >>> import numpy as np
    >>> table = VectorTable(["a", "b"], np.array([[1.0, 0.0], [3.0, 0.0]], dtype=np.float32))
    >>> postprocess(table, "centre").table["a"].tolist()
    [-1.0, 0.0]
    """
    if fit_on is not None and fit_on < 1:
        raise InputError(f"The steps must be fitted to at least 1 word. Got {fit_on} instead.")
    if not len(table):
        raise InputError("The table has no words; post-processing has nothing to fit to.")
    rows = checked_rows(table.matrix, table.words)
    record = Pipeline.fit(steps, rows[:fit_on], report=report)
    report(f"applying {len(record.steps)} steps to {len(table):,} vectors")
    return PostprocessResult(record.apply_table(table), record)
