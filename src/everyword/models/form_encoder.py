"""The form encoder makes a vector from the spelling of a word: units, forward pass, norm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from everyword import registry
from everyword.arrays import FloatArray
from everyword.errors import DamagedModelError
from everyword.models.forward.base import FloatTables, ForwardPass
from everyword.text.units import UNK, Sequences, Units
from everyword.vectors.neighbours import rows_of_length
from everyword.vectors.storage.stored import StoredMatrix

MISFITS = (KeyError, IndexError, ValueError, TypeError, AttributeError, ArithmeticError, MemoryError)
"""Exceptions that arithmetic raises on tables that do not fit together."""


@dataclass(frozen=True)
class FormEncoder:
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
        """Return the forward pass on tables turned back into floats."""
        make = registry.forward_passes.get(self.encoder)
        try:
            forward: ForwardPass = make(FloatTables(self.tables), self.config)
            # One word with the last unit, then several: tables that do not fit are found here, and nowhere later.
            last = self.units.size - 1
            forward(Sequences.of([[last]]))
            forward(Sequences.of([[UNK], [UNK, last]]))
        except MISFITS as error:
            raise self._misfit(error) from error
        return forward

    @cached_property
    def dim(self) -> int:
        """Return the length of the vectors, without turning the tables into floats."""
        make, nothing = registry.forward_passes.get(self.encoder), np.zeros(1, dtype=np.float32)
        try:
            forward: ForwardPass = make(
                {name: np.broadcast_to(nothing, table.shape) for name, table in self.tables.items()}, self.config
            )
            return forward.dim
        except MISFITS as error:
            raise self._misfit(error) from error

    def _misfit(self, error: BaseException) -> DamagedModelError:
        return DamagedModelError(
            f"The tables of the encoder {self.encoder!r} do not go together ({type(error).__name__}: {error}); "
            "download or save the model again."
        )

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of normalised words; a word without a known character gets zeros."""
        batch = self.units.batch(words)
        if batch.usable[0] if len(words) == 1 else batch.usable.all():
            return self._inferred(batch.sequences)
        usable = np.flatnonzero(batch.usable)
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        vectors[usable] = self._inferred(batch.sequences.take(usable))
        return vectors

    def _inferred(self, sequences: Sequences) -> FloatArray:
        vectors = self.forward(sequences)
        return vectors if self.norm is None else rows_of_length(vectors, self.norm)
