"""From the spelling of a word to a vector: units, forward pass, norm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from everyword import registry
from everyword.arrays import FloatArray
from everyword.models.forward.base import ForwardPass
from everyword.models.stored import StoredMatrix
from everyword.text.sequences import Sequences
from everyword.text.units import Units
from everyword.vectors.neighbours import rows_of_length


@dataclass(frozen=True)
class Imputer:
    """A trained encoder as the runtime sees it."""

    units: Units
    encoder: str
    """The registered name of the forward pass."""
    config: Mapping[str, Any]
    tables: Mapping[str, StoredMatrix]
    norm: float | None
    """The length of every inferred vector; None leaves the encoder's own."""

    @cached_property
    def forward(self) -> ForwardPass:
        """The forward pass on tables turned back into floats."""
        make = registry.forward_passes.get(self.encoder)
        forward: ForwardPass = make({name: table.floats() for name, table in self.tables.items()}, self.config)
        return forward

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return self.forward.dim

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Vectors of normalised words; a word without a known character gets zeros."""
        batch = self.units.batch(words)
        if batch.usable.all():
            return self._inferred(batch.sequences)
        usable = np.flatnonzero(batch.usable)
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        vectors[usable] = self._inferred(batch.sequences.take(usable))
        return vectors

    def _inferred(self, sequences: Sequences) -> FloatArray:
        vectors = self.forward(sequences)
        return vectors if self.norm is None else rows_of_length(vectors, self.norm)
