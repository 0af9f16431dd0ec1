"""Smaller versions of a table in a study: their vectors, the size of their file, and what is left of neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from everyword.arrays import BoolArray, FloatArray
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes.components import vectors_of
from everyword.evaluation.shrinking import FLOAT32, bytes_of
from everyword.space.change import neighbour_overlap
from everyword.space.compression.method import Shrunk, read_method
from everyword.vectors.table import VectorTable

SIZE, NEIGHBOURS = "size", "neighbours"
MEASURES = (SIZE, NEIGHBOURS)
"""Columns about the table itself: its bytes in percent of float32, and the share of ten neighbours that stay."""


@dataclass(frozen=True)
class ShrunkTable:
    """A table and one smaller version of it."""

    original: VectorTable
    shrunk: Shrunk
    whole_bytes: int
    """Of the file of the original."""

    @cached_property
    def again(self) -> VectorTable:
        """The smaller version as its file gives it back."""
        return self.shrunk.table()

    def vectors(self, words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        """Return the vectors of words, and which of them have one."""
        return vectors_of(evaluated_table(self.again, "shrunk"), words)

    def measure(self, name: str) -> float | None:
        """Return a measure in percent."""
        if name == SIZE:
            return 100 * bytes_of(self.shrunk) / self.whole_bytes
        overlap = neighbour_overlap(self.original.matrix, self.again.matrix)
        return None if overlap is None else 100 * overlap


class Shrinker:
    """Makes smaller versions of one table."""

    def __init__(self, table: VectorTable) -> None:
        self._table = table

    @cached_property
    def _whole_bytes(self) -> int:
        return bytes_of(read_method(FLOAT32).apply(self._table))

    def shrink(self, method: str) -> ShrunkTable:
        """Shrink the table by a method as `everyword shrink` names it."""
        return ShrunkTable(self._table, read_method(method).apply(self._table), self._whole_bytes)
