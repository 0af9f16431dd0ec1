"""A method to shrink a table: steps that change the space, such as PCA, and a way to store what they leave."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from everyword import registry
from everyword.errors import InputError
from everyword.space.compression.storage import Float32, Storage
from everyword.space.notation import read_part, read_steps
from everyword.space.pipeline import Pipeline
from everyword.space.rows import checked_rows
from everyword.space.steps.base import Step
from everyword.vectors.formats.compact import Packed, write_compact
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class Shrunk:
    """A table in fewer bytes."""

    words: list[str]
    matrix: Packed
    record: Pipeline | None
    """The steps as fitted, which later words go through; None without steps."""

    def table(self) -> VectorTable:
        """Return the table as its file gives it back."""
        return VectorTable.from_checked(self.words, self.matrix.floats())

    def save(self, path: Path) -> None:
        """Write the file."""
        write_compact(path, self.words, self.matrix)


@dataclass(frozen=True)
class Method:
    """Steps and a storage, and how they are written."""

    text: str
    steps: tuple[Step, ...]
    storage: Storage

    def apply(self, table: VectorTable) -> Shrunk:
        """Shrink a table."""
        if not len(table):
            raise InputError("The table has no words; there is nothing to shrink.")
        rows, record = checked_rows(table.matrix, table.words), None
        if self.steps:
            record = Pipeline.fit(self.steps, rows)
            rows = record.apply(rows)
        return Shrunk(table.words, self.storage.pack(rows), record)


def read_method(text: str) -> Method:
    """Parse steps and a storage with commas between them; the storage comes last and is float32 if none is named.

    >>> method = read_method("pca:100,int8")
    >>> method.steps, method.storage
    ((Pca(dims=100),), Int8())
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise InputError("A method must name a step or a way to store, as in pca:100,int8. Got nothing instead.")
    storages = {name.rpartition(".v")[0] for name in registry.table_storages}
    is_storage = [
        part.partition(":")[0] in storages or part.partition(":")[0] in registry.table_storages for part in parts
    ]
    if any(is_storage[:-1]):
        raise InputError(f"The way to store numbers comes last in a method. Got {text!r} instead.")
    storage = read_part(registry.table_storages, parts.pop()) if is_storage[-1] else Float32()
    return Method(text, read_steps(parts), storage)
