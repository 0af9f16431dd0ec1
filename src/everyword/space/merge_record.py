"""A fitted merger: makes one vector of those that a word has in some of the merged tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from everyword import registry
from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.space.filling import Filler
from everyword.space.mergers.base import Merger, Parts
from everyword.space.moments import Arrays
from everyword.space.notation import build_named
from everyword.space.pipeline import Pipeline, Reporter, no_report
from everyword.space.record import Contents, write_record
from everyword.space.rows import blocks, checked_rows
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class MergeInput:
    """One of the merged tables, as a record describes it."""

    name: str
    weight: float
    preparation: Pipeline
    words: int
    """Number of words of the merged table that it had."""
    predicted: float | None
    """Share of its variance that the other tables predict on held-out words."""


@dataclass(frozen=True)
class MergeRecord:
    """A fitted merger, which also merges the vectors of later words."""

    KIND: ClassVar[str] = "merge"
    sources: tuple[MergeInput, ...]
    vocabulary: Vocabulary
    words: int
    """Number of words merged when it was fitted."""
    shared: int
    """Number of words that all tables have."""
    merger: Merger
    arrays: Arrays
    facts: dict[str, float]
    filler: Filler | None

    @property
    def weights(self) -> tuple[float, ...]:
        """Weight of each table."""
        return tuple(source.weight for source in self.sources)

    def merge(self, tables: Sequence[VectorTable | None], *, report: Reporter = no_report) -> VectorTable:
        """Merge other tables of the same spaces, in the same order; None for an absent table."""
        self._check_count(tables)
        for source, table in zip(self.sources, tables, strict=True):
            if table is not None:
                _check_dim(source, table.matrix)
                checked_rows(table.matrix, table.words)
        sources = gather(tables, [source.preparation for source in self.sources], self.vocabulary)
        return self.merge_sources(sources, report)

    def apply(self, vectors: Sequence[AnyArray | None]) -> FloatArray:
        """Merge the vectors of new words: one matrix per space, one row per word; None for an absent space."""
        self._check_count(vectors)
        count = max((len(rows) for rows in vectors if rows is not None), default=0)
        prepared, present = [], np.zeros((count, len(vectors)), dtype=bool)
        for index, (source, given) in enumerate(zip(self.sources, vectors, strict=True)):
            rows = np.zeros((count, source.preparation.dim_out), dtype=np.float32)
            if given is not None:
                _check_dim(source, given)
                if len(given) != count:
                    raise InputError(f"Each source must give a row for every word. Got {len(given)} rows and {count}.")
                rows, present[:, index] = source.preparation.apply(given), True
            prepared.append(rows)
        return self._combine(Parts(tuple(prepared), present))

    def save(self, folder: str | Path) -> None:
        """Write the record; `everyword.space.load_record` reads it."""
        write_record(Path(folder), self.KIND, self.contents())

    def contents(self) -> Contents:
        """The record as plain values and arrays."""
        preparations = [source.preparation.contents() for source in self.sources]
        sources = [_described(source, kept.described) for source, kept in zip(self.sources, preparations, strict=True)]
        arrays = {f"merger.{name}": array for name, array in self.arrays.items()}
        for index, kept in enumerate(preparations):
            arrays |= {f"source{index}.{name}": array for name, array in kept.arrays.items()}
        if self.filler is not None:
            arrays |= {"filler.mean": self.filler.mean, "filler.covariance": self.filler.covariance}
        described = {
            "sources": sources,
            "vocabulary": self.vocabulary,
            "words": self.words,
            "shared": self.shared,
            "merger": {"name": self.merger.NAME, "options": asdict(self.merger), "facts": self.facts},  # type: ignore[call-overload]
            "ridge": None if self.filler is None else self.filler.ridge,
        }
        return Contents(described, arrays)

    @classmethod
    def from_contents(cls, contents: Contents) -> MergeRecord:
        """Rebuild a record from its contents."""
        described = contents.described
        sources = tuple(
            _source(source, contents.part(f"source{index}").arrays) for index, source in enumerate(described["sources"])
        )
        filler = None
        if described["ridge"] is not None:
            dims = tuple(source.preparation.dim_out for source in sources)
            moments = contents.part("filler").arrays
            filler = Filler(dims, described["ridge"], moments["mean"], moments["covariance"])
        merger = described["merger"]
        return cls(
            sources,
            described["vocabulary"],
            described["words"],
            described["shared"],
            build_named(registry.mergers, merger["name"], merger["options"]),
            contents.part("merger").arrays,
            merger["facts"],
            filler,
        )

    def check(self) -> None:
        """Raise ValueError if tables, arrays and dimensions do not match."""
        for source in self.sources:
            source.preparation.check()
        joined = sum(source.preparation.dim_out for source in self.sources)
        if self.filler is not None and (self.filler.mean.shape, self.filler.covariance.shape) != (
            (joined,),
            (joined, joined),
        ):
            raise ValueError("means or covariances of another dimension")
        self.apply([np.zeros((1, source.preparation.dim), dtype=np.float32) for source in self.sources])

    def merge_sources(self, sources: Sources, report: Reporter) -> VectorTable:
        """Merge the gathered words of all tables."""
        report(f"merging {len(sources.words):,} words")
        merged: FloatArray | None = None
        done = 0
        for parts in sources.blocks():
            rows = self._combine(parts)
            if merged is None:
                merged = np.empty((len(sources.words), rows.shape[1]), dtype=np.float32)
            merged[done : done + len(rows)] = rows
            done += len(rows)
        if merged is None:
            raise InputError("The tables have no words; there is nothing to merge.")
        return VectorTable.from_checked(sources.words, merged)

    def _combine(self, parts: Parts) -> FloatArray:
        if not parts.present.any(axis=1).all():
            raise InputError("A word must have a vector in at least one source; leave out those that have none.")
        filled = parts if self.filler is None else self.filler.fill(parts)
        return self.merger.combine(filled, self.weights, self.arrays)

    def _check_count(self, given: Sequence[object]) -> None:
        if len(given) != len(self.sources):
            names = ", ".join(source.name for source in self.sources)
            raise InputError(
                f"This record merges {len(self.sources)} sources ({names}). Got {len(given)} instead; give them in "
                "this order, with None (- in the shell) for one that is absent."
            )


def _check_dim(source: MergeInput, rows: AnyArray) -> None:
    if rows.ndim != 2 or rows.shape[1] != source.preparation.dim:
        raise InputError(
            f"The source {source.name!r} of this record has vectors of dimension {source.preparation.dim}. Got an "
            f"array of shape {rows.shape} instead; give the sources in the order in which they were merged."
        )


def _described(source: MergeInput, preparation: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": source.name,
        "weight": source.weight,
        "words": source.words,
        "predicted": source.predicted,
        "preparation": preparation,
    }


def _source(described: dict[str, Any], arrays: dict[str, FloatArray]) -> MergeInput:
    preparation = Pipeline.from_contents(Contents(described["preparation"], arrays))
    return MergeInput(**{**described, "preparation": preparation})


Vocabulary = Literal["union", "intersection"]
LACKING = -1


@dataclass(frozen=True)
class Sources:
    """The words of all tables, with their row in each table or -1."""

    words: list[str]
    rows_in_tables: IndexArray
    matrices: tuple[FloatArray, ...]
    preparations: tuple[Pipeline, ...]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which table has which word."""
        return np.not_equal(self.rows_in_tables, LACKING)

    @property
    def dims(self) -> tuple[int, ...]:
        """Dimension of each table after its preparation."""
        return tuple(preparation.dim_out for preparation in self.preparations)

    def blocks(self, chosen: IndexArray | None = None) -> Iterator[Parts]:
        """Yield the prepared vectors of all words in order, or of the chosen ones."""
        rows_in_tables = self.rows_in_tables if chosen is None else self.rows_in_tables[chosen]
        for part in blocks(len(rows_in_tables), sum(self.dims)):
            yield self._parts(rows_in_tables[part])

    def _parts(self, rows_in_tables: IndexArray) -> Parts:
        rows = []
        for index, matrix, preparation in zip(rows_in_tables.T, self.matrices, self.preparations, strict=True):
            has = index != LACKING
            prepared = np.zeros((len(rows_in_tables), preparation.dim_out), dtype=np.float32)
            prepared[has] = preparation.apply(matrix[index[has]])
            rows.append(prepared)
        return Parts(tuple(rows), rows_in_tables != LACKING)


def gather(tables: Sequence[VectorTable | None], preparations: Sequence[Pipeline], vocabulary: Vocabulary) -> Sources:
    """Gather the words of several tables, in the order of the first, then of the next; None is an absent table."""
    given = [table for table in tables if table is not None]
    words = list(dict.fromkeys(chain.from_iterable(table.words for table in given)))
    if vocabulary == "intersection":
        words = [word for word in words if all(word in table for table in given)]
        if not words:
            raise InputError("The tables share no word, so their intersection is empty; merge their union instead.")
    columns = [_rows_in(words, table) for table in tables]
    matrices = [
        np.empty((0, preparation.dim), dtype=np.float32) if table is None else table.matrix
        for table, preparation in zip(tables, preparations, strict=True)
    ]
    return Sources(words, np.stack(columns, axis=1), tuple(matrices), tuple(preparations))


def _rows_in(words: Sequence[str], table: VectorTable | None) -> IndexArray:
    index = {} if table is None else table.index
    return np.fromiter((index.get(word, LACKING) for word in words), dtype=np.int64, count=len(words))
