"""LOVE's positional attention module as the public code has it since March 2022: both attentions side by side.

    x + Dropout(LayerNorm(ReLU([SA(x); PA(x)] W + b))), summed over the word

Softmax runs over keys and leaves padding out; the reference takes it over queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.models.forward.positions import KernelScale
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, masked_softmax, positional_weights, to_array
from everyword.text.units import PAD


@dataclass(frozen=True)
class PamParallelConfig:
    """Sizes of the parallel module."""

    attention: int = 32
    """Dimension of queries and keys."""
    kernel: KernelScale = "root4"
    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.2
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""


class PamParallel(Encoder):
    """Self-attention and positional attention over the same units, merged position by position."""

    Config = PamParallelConfig

    def __init__(self, size: int, dim: int, config: PamParallelConfig | None = None) -> None:
        super().__init__()
        self.config = config or PamParallelConfig()
        self.units = UnitTable(size, dim, self.config.rank, self.config.initial_scale)
        self.query = nn.Linear(dim, self.config.attention)
        self.key = nn.Linear(dim, self.config.attention)
        self.local = nn.Linear(dim, dim)
        self.merge = nn.Linear(2 * dim, dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.dropout = nn.Dropout(self.config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        present = ids != PAD
        units = self.units(ids)
        query, key = self.query(units).relu(), self.key(units).relu()
        attention = masked_softmax(query @ key.transpose(1, 2) / self.config.attention**0.25, present)
        local = self.local(positional_weights(present, units.shape[2], self.config.kernel) @ units).relu()
        merged = self.merge(torch.cat([attention @ units, local], dim=2)).relu()
        features = units + self.dropout(self.norm(merged))
        pooled: Tensor = (features * present.unsqueeze(2)).sum(dim=1)
        return pooled

    def fold(self) -> dict[str, FloatArray]:
        """Tables for all that depends on one unit, and the two maps that come after a non-linearity."""
        with torch.no_grad():
            units = self.units.matrix()
            global_part, local_part = self.merge.weight.tensor_split(2, dim=1)
            tables = {
                "unit": units,
                "query": self.query(units).relu() / self.config.attention**0.25,
                "key": self.key(units).relu(),
                "attended": units @ global_part.T,
                "local": units @ self.local.weight.T,
                "local_bias": self.local.bias,
                "merge": local_part.T,
                "merge_bias": self.merge.bias,
                "norm_gain": self.norm.weight,
                "norm_bias": self.norm.bias,
            }
            return {name: to_array(table) for name, table in tables.items()}

    def runtime_config(self) -> dict[str, Any]:
        """What the kernel depends on."""
        return {"kernel": self.config.kernel}
