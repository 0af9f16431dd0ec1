"""KVQ-FH (Sasaki, Suzuki and Inui 2019): attention over n-grams that share one small table.

    v = Σ_s softmax_s(√d q ∘ k_s) ∘ v_s    with q = Σ_s q_s, the softmax taken for each dimension

An n-gram has three rows of the table, as key, value and query. The publication hashes its text three times; here the
text has become a number already (its place in the list, or its bucket), and that number is hashed three times. Two
n-grams that share a key then rarely share a value, and nothing but the table is saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.models.forward.kvq import ROLES, shared_rows
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, to_array
from everyword.text.units import PAD, UNK


@dataclass(frozen=True)
class KeyValueQueryConfig:
    """The size of the shared table."""

    rows: int = 40_000
    """Rows that all n-grams share, in all three roles."""
    dropout: float = 0.0
    initial_scale: float = 0.01
    """Standard deviation of the rows before training."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if self.rows < 1:
            yield f"rows must be 1 or more. Got {self.rows} instead"


class KeyValueQuery(Encoder):
    """Which n-gram counts is decided for each dimension by all n-grams of the word."""

    Config = KeyValueQueryConfig
    rows: Tensor

    def __init__(self, size: int, dim: int, config: KeyValueQueryConfig | None = None) -> None:
        super().__init__()
        self.config = config or KeyValueQueryConfig()
        self.units = UnitTable(UNK + 1 + self.config.rows, dim, None, self.config.initial_scale)
        self.dropout = nn.Dropout(self.config.dropout)
        numbers = np.arange(size)
        rows = np.stack([shared_rows(numbers, role, self.config.rows) for role in ROLES], axis=1)
        self.register_buffer("rows", torch.from_numpy(rows), persistent=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        present = (ids != PAD).unsqueeze(2)
        key, value, query = self.dropout(self.units(self.rows[ids])).unbind(dim=2)
        # The row of padding is zero, so it adds nothing to the query.
        scores = query.shape[2] ** 0.5 * query.sum(dim=1, keepdim=True) * key
        weights = scores.masked_fill(~present, float("-inf")).softmax(dim=1)
        vectors: Tensor = (weights * value).sum(dim=1)
        return vectors

    def fold(self) -> dict[str, FloatArray]:
        """The shared table."""
        with torch.no_grad():
            return {"shared": to_array(self.units.matrix())}

    def runtime_config(self) -> dict[str, Any]:
        """Nothing beside the table: its length says how to hash."""
        return {}
