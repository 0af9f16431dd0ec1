"""Fit steps to a table and apply them to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from everyword.errors import InputError
from everyword.space.pipeline import Pipeline, Tell, be_silent
from everyword.space.rows import checked_rows
from everyword.space.steps.base import Step
from everyword.vectors.table import VectorTable


class Postprocessed(NamedTuple):
    """A table after its steps, and the record that does the same to later vectors."""

    table: VectorTable
    record: Pipeline


def postprocess(
    table: VectorTable, steps: str | Sequence[str | Step], *, fit_on: int | None = None, tell: Tell = be_silent
) -> Postprocessed:
    """Fit `steps` to a table, or to its first `fit_on` words, and apply them to all of it.

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
    record = Pipeline.fit(steps, rows[:fit_on], tell=tell)
    tell(f"applying {len(record.steps)} steps to {len(table):,} vectors")
    return Postprocessed(record.apply_table(table), record)
