"""LOVE's positional attention module as its public code had it for a while: the positional branch only.

    x + Dropout(LayerNorm(ReLU(ReLU(PA(x) W + b) M + c))), summed over the word

The public code computes the self-attention too and throws it away; those 19,264 dead parameters are not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.models.forward.arithmetic import LAYER_NORM_EPSILON
from everyword.models.forward.positions import KernelScale
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, positional_weights, to_array
from everyword.text.units import PAD


@dataclass(frozen=True)
class PamPositionalConfig:
    """Sizes of the positional module."""

    kernel: KernelScale = "root4"
    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.2
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""


class PamPositional(Encoder):
    """Trigram-like local features, summed."""

    Config = PamPositionalConfig

    def __init__(self, size: int, dim: int, config: PamPositionalConfig | None = None) -> None:
        super().__init__()
        self.config = config or PamPositionalConfig()
        self.units = UnitTable(size, dim, self.config.rank, self.config.initial_scale)
        self.local = nn.Linear(dim, dim)
        self.merge = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim, eps=LAYER_NORM_EPSILON)
        self.dropout = nn.Dropout(self.config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        present = ids != PAD
        units = self.units(ids)
        local = self.local(positional_weights(present, units.shape[2], self.config.kernel) @ units).relu()
        features = units + self.dropout(self.norm(self.merge(local).relu()))
        pooled: Tensor = (features * present.unsqueeze(2)).sum(dim=1)
        return pooled

    def fold(self) -> dict[str, FloatArray]:
        """Tables for what depends on one unit, and the map that comes after a non-linearity."""
        with torch.no_grad():
            units = self.units.matrix()
            tables = {
                "unit": units,
                "local": units @ self.local.weight.T,
                "local_bias": self.local.bias,
                "merge": self.merge.weight.T,
                "merge_bias": self.merge.bias,
                "norm_gain": self.norm.weight,
                "norm_bias": self.norm.bias,
            }
            return {name: to_array(table) for name, table in tables.items()}

    def runtime_config(self) -> dict[str, Any]:
        """What the kernel depends on."""
        return {"kernel": self.config.kernel}
