"""KVQ-FH (Sasaki, Suzuki and Inui 2019): attention over n-grams that share one small table.

    v = Σ_s softmax_s(√d q ∘ k_s) ∘ v_s    with q = Σ_s q_s, the softmax taken for each dimension

An n-gram has three rows of the table, as key, value and query. The publication hashes its text three times; here the
text is a number already (its index in the list, or its bucket), and that number is hashed three times. Two
n-grams that share a key then rarely share a value, and nothing but the table is saved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from everyword.config import Count
from everyword.models.forward.kvq import ROLES, shared_rows
from everyword.systems.spelling.encoders.base import Dropout, Encoder, EncoderOptions, UnitTable
from everyword.text.units import PAD, UNK


@dataclass(frozen=True)
class KeyValueQueryConfig(EncoderOptions):
    """Options of the shared table."""

    rows: Count = 40_000
    """Number of rows that all n-grams share, in all three roles."""
    dropout: Dropout = 0.0


class KeyValueQuery(Encoder):
    """A weighted sum of n-grams, whose weights depend, in each dimension, on all n-grams of the word."""

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
        present = (ids != PAD).unsqueeze(2)
        key, value, query = self.dropout(self.units(self.rows[ids])).unbind(dim=2)
        # The row of padding is zero, so it adds nothing to the query.
        scores = query.shape[2] ** 0.5 * query.sum(dim=1, keepdim=True) * key
        weights = scores.masked_fill(~present, float("-inf")).softmax(dim=1)
        vectors: Tensor = (weights * value).sum(dim=1)
        return vectors

    def tables(self) -> dict[str, Tensor]:
        return {"shared": self.units.matrix()}
