"""LOVE's positional attention module as its public code has it: both attentions side by side, or only one.

    parallel    x + Dropout(LayerNorm(ReLU([SA(x); PA(x)] W + b))), summed over the word     since March 2022
    positional  x + Dropout(LayerNorm(ReLU(PA(x) W + b))), summed over the word              for a while before

Here PA(x) stands for ReLU(P x V + c), with P the positional kernel. Softmax runs over keys and leaves padding out; the
reference takes it over queries. The public code of the positional one computes the self-attention too and throws it
away; those 19,264 dead parameters are not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.config import Count
from everyword.models.forward.arithmetic import LAYER_NORM_EPSILON, KernelScale
from everyword.systems.spelling.encoders.base import (
    Encoder,
    FactoredOptions,
    UnitTable,
    masked_softmax,
    positional_weights,
)
from everyword.text.units import PAD


@dataclass(frozen=True)
class PamPositionalConfig(FactoredOptions):
    """Options of the positional module."""

    kernel: KernelScale = "root4"


@dataclass(frozen=True)
class PamParallelConfig(PamPositionalConfig):
    """Options of the parallel module."""

    attention: Count = 32
    """Dimension of queries and keys."""


class PamPositional(Encoder):
    """Trigram-like local features, summed."""

    Config = PamPositionalConfig
    config: PamPositionalConfig

    def __init__(self, size: int, dim: int, config: PamPositionalConfig | None = None) -> None:
        super().__init__()
        self.config = config or self.Config()
        self.units = UnitTable(size, dim, self.config.rank, self.config.initial_scale)
        branches = 1 + self._add_attention(dim)
        self.local = nn.Linear(dim, dim)
        self.merge = nn.Linear(branches * dim, dim)
        self.norm = nn.LayerNorm(dim, eps=LAYER_NORM_EPSILON)
        self.dropout = nn.Dropout(self.config.dropout)

    def _add_attention(self, dim: int) -> int:
        """Add the layers of the self-attention, if there is one, and return the number of its branches."""
        return 0

    def forward(self, ids: Tensor) -> Tensor:
        present = ids != PAD
        units = self.units(ids)
        weights = self._attention(units, present)
        local = self.local(positional_weights(present, units.shape[2], self.config.kernel) @ units).relu()
        branches = local if weights is None else torch.cat([weights @ units, local], dim=2)
        merged = self.merge(branches).relu()
        features = units + self.dropout(self.norm(merged))
        pooled: Tensor = (features * present.unsqueeze(2)).sum(dim=1)
        return pooled

    def _attention(self, units: Tensor, present: Tensor) -> Tensor | None:
        """Return the weights of the self-attention, if there is one."""
        return None

    def tables(self) -> dict[str, Tensor]:
        # Tables for everything that depends on one unit, and the maps that follow a non-linearity.
        units = self.units.matrix()
        return {
            "unit": units,
            "local": units @ self.local.weight.T,
            "local_bias": self.local.bias,
            "merge": self.merge.weight[:, -units.shape[1] :].T,
            "merge_bias": self.merge.bias,
            "norm_gain": self.norm.weight,
            "norm_bias": self.norm.bias,
        }

    def runtime_config(self) -> dict[str, Any]:
        return {"kernel": self.config.kernel}


class PamParallel(PamPositional):
    """Self-attention and positional attention over the same units, merged position by position."""

    Config = PamParallelConfig
    config: PamParallelConfig

    def _add_attention(self, dim: int) -> int:
        self.query = nn.Linear(dim, self.config.attention)
        self.key = nn.Linear(dim, self.config.attention)
        return 1

    def _attention(self, units: Tensor, present: Tensor) -> Tensor:
        query, key = self.query(units).relu(), self.key(units).relu()
        return masked_softmax(query @ key.transpose(1, 2) / self.config.attention**0.25, present)

    def tables(self) -> dict[str, Tensor]:
        units = self.units.matrix()
        return super().tables() | {
            "query": self.query(units).relu() / self.config.attention**0.25,
            "key": self.key(units).relu(),
            "attended": units @ self.merge.weight[:, : units.shape[1]].T,
        }
