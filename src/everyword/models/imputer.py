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
from everyword.text.units import Units
from everyword.vectors.neighbours import unit_rows


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
        usable = [place for place, word in enumerate(words) if self.units.usable(word)]
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        if usable:
            inferred = self.forward([self.units.ids(words[place]) for place in usable])
            vectors[usable] = inferred if self.norm is None else unit_rows(inferred) * np.float32(self.norm)
        return vectors
