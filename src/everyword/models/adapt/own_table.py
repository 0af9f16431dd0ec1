"""A table of vectors given by a user, with words normalised as a model stores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.files import checksum
from everyword.models.known import KnownWords
from everyword.space.rows import checked_rows
from everyword.text.normalise import Normaliser
from everyword.vectors.storage.quantising import KnownPrecision, pack
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class OwnTable:
    """Words normalised as in a model, each once, with their vectors as given."""

    table: VectorTable
    name: str
    sha256: str | None
    """Of the file; None for a table that came from memory."""

    @property
    def description(self) -> str:
        """Return a description for the model card."""
        return f"{self.name}, {len(self.table):,} vectors of dimension {self.table.dim}"


def read_own(given: VectorTable | str | Path, words: int | None, normalise: Normaliser) -> OwnTable:
    """Read a table, or the first words of it, with words normalised."""
    if words is not None and words < 1:
        raise InputError(f"The number of words must be 1 or more. Got {words} instead.")
    if isinstance(given, VectorTable):
        table, name, sha256 = given if words is None else given.head(words), "a table", None
    else:
        table, name, sha256 = VectorTable.load(given, limit=words), Path(given).name, checksum(Path(given))
    matrix = checked_rows(table.matrix, table.words)
    spelt, rows = _each_spelling_once(table.words, normalise)
    if not spelt:
        raise InputError(f"{name} holds no word; give a table with words and vectors.")
    # Most tables are spelt as the model spells already: their rows need no copy.
    kept = matrix if len(rows) == len(matrix) else matrix[rows]
    return OwnTable(VectorTable.from_checked(spelt, kept), name, sha256)


def store(
    words: Sequence[str], matrix: FloatArray, precision: KnownPrecision, sections: Mapping[str, int] | None = None
) -> KnownWords:
    """Return words and vectors as known words, stored at a precision."""
    allowed = get_args(KnownPrecision)
    if precision not in allowed:
        raise InputError(
            f"The precision must be {', '.join(allowed[:-1])} or {allowed[-1]}. Got {precision!r} instead."
        )
    return KnownWords(words, pack(matrix, precision), sections)


def _each_spelling_once(words: Sequence[str], normalise: Normaliser) -> tuple[list[str], IndexArray]:
    """Return normalised words and the row of each; of "Apple" and "apple" the one that is normalised already."""
    row_of: dict[str, int] = {}
    for row, word in enumerate(words):
        spelt = normalise(word)
        if spelt and (spelt not in row_of or spelt == word):
            row_of[spelt] = row
    return list(row_of), np.fromiter(row_of.values(), dtype=np.int64, count=len(row_of))
