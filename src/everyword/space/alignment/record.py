"""A fitted alignment: brings vectors of either space into the common one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from everyword import registry
from everyword.arrays import AnyArray, FloatArray
from everyword.errors import InputError
from everyword.space.alignment.base import Affine, Method
from everyword.space.notation import build_named
from everyword.space.pipeline import Pipeline
from everyword.space.record import Contents, write_record
from everyword.space.rows import apply_by_blocks, checked_rows
from everyword.vectors.neighbours import rows_of_length
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class Side:
    """How the vectors of one space come into the common one: steps, then an affine map, then length 1."""

    name: str
    preparation: Pipeline
    map: Affine

    @property
    def dim(self) -> int:
        """Dimension of the vectors that come in."""
        return self.preparation.dim

    def __call__(self, vectors: AnyArray) -> FloatArray:
        """Map vectors, one row each; zero vectors stay zero."""
        rows = checked_rows(vectors)
        if rows.shape[1] != self.dim:
            raise InputError(
                f"This alignment was fitted to vectors of dimension {self.dim} of {self.name}. Got dimension "
                f"{rows.shape[1]} instead; give vectors of the same space."
            )
        prepared = self.preparation.apply(rows)
        mapped = apply_by_blocks(self.map, prepared, self.map.matrix.shape[1])
        rows_of_length(mapped, 1.0)
        mapped[~rows.any(axis=1)] = 0
        return mapped

    def table(self, table: VectorTable) -> VectorTable:
        """Map a table."""
        return VectorTable.from_checked(table.words, self(checked_rows(table.matrix, table.words)))

    def contents(self) -> Contents:
        """The side as plain values and arrays."""
        kept = self.preparation.contents()
        arrays = {f"preparation.{name}": array for name, array in kept.arrays.items()}
        arrays |= {"map.matrix": self.map.matrix, "map.offset": self.map.offset}
        return Contents({"name": self.name, "preparation": kept.described}, arrays)

    @classmethod
    def from_contents(cls, contents: Contents) -> Side:
        """Rebuild a side from its contents."""
        kept = Contents(contents.described["preparation"], contents.part("preparation").arrays)
        arrays = contents.part("map").arrays
        return cls(contents.described["name"], Pipeline.from_contents(kept), Affine(arrays["matrix"], arrays["offset"]))

    def check(self) -> None:
        """Raise ValueError if steps, arrays and dimensions do not match."""
        self.preparation.check()
        if self.map.matrix.shape != (self.preparation.dim_out, len(self.map.offset)) or self.map.offset.ndim != 1:
            raise ValueError(f"a map of {self.name} of another dimension")


@dataclass(frozen=True)
class Alignment:
    """Maps of two spaces into one; any vector of either space goes through them, also one made up later."""

    KIND: ClassVar[str] = "alignment"
    source: Side
    target: Side
    method: Method
    facts: Mapping[str, float]
    """Figures of the fit, such as the number of pairs."""

    @property
    def dim(self) -> int:
        """Dimension of the common space."""
        return len(self.source.map.offset)

    @property
    def moves_target(self) -> bool:
        """Whether the target's cosines change, so that its vectors must go through `map_target` too."""
        steps = {fitted.step.NAME for fitted in self.target.preparation.steps}
        return self.method.MOVES_TARGET or bool(steps - {"unit-rows.v1"})

    def map_source(self, vectors: AnyArray) -> FloatArray:
        """Return vectors of the source space in the common space, of length 1; zero vectors stay zero."""
        return self.source(vectors)

    def map_target(self, vectors: AnyArray) -> FloatArray:
        """Return vectors of the target space in the common space, of length 1; zero vectors stay zero."""
        return self.target(vectors)

    def map_source_table(self, table: VectorTable) -> VectorTable:
        """Return a table of the source space in the common space."""
        return self.source.table(table)

    def map_target_table(self, table: VectorTable) -> VectorTable:
        """Return a table of the target space in the common space."""
        return self.target.table(table)

    def save(self, folder: str | Path) -> None:
        """Write the record; `everyword.space.load_record` reads it."""
        write_record(Path(folder), self.KIND, self.contents())

    def contents(self) -> Contents:
        """The record as plain values and arrays."""
        sides = {"source": self.source.contents(), "target": self.target.contents()}
        arrays = {f"{side}.{name}": array for side, kept in sides.items() for name, array in kept.arrays.items()}
        described: dict[str, Any] = {side: kept.described for side, kept in sides.items()}
        described["method"] = {"name": self.method.NAME, "options": asdict(self.method)}  # type: ignore[call-overload]
        return Contents({**described, "facts": dict(self.facts)}, arrays)

    @classmethod
    def from_contents(cls, contents: Contents) -> Alignment:
        """Rebuild an alignment from its contents."""
        described, method = contents.described, contents.described["method"]
        source, target = (
            Side.from_contents(Contents(described[side], contents.part(side).arrays)) for side in ("source", "target")
        )
        built = build_named(registry.alignment_methods, method["name"], method["options"])
        return cls(source, target, built, dict(described["facts"]))

    def check(self) -> None:
        """Raise ValueError if the two sides do not meet in one space."""
        for side in (self.source, self.target):
            side.check()
        if len(self.source.map.offset) != len(self.target.map.offset):
            raise ValueError("sides that lead to spaces of different dimensions")
