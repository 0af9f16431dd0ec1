"""LOVE's positional attention module as the paper prints it: SA(PA(X)) W_O, summed over the word (Eq. 4 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from everyword.config import Count
from everyword.models.forward.arithmetic import KernelScale
from everyword.systems.spelling.encoders.base import (
    Encoder,
    FactoredOptions,
    UnitTable,
    attention_sum,
    positional_weights,
)
from everyword.text.units import PAD


@dataclass(frozen=True)
class PamStackedConfig(FactoredOptions):
    """Options of the stacked module."""

    width: Count | None = None
    """Dimension of the unit vectors; by default the teacher's."""
    attention: Count = 32
    """Dimension of queries and keys."""
    kernel: KernelScale = "root4"


class PamStacked(Encoder):
    """Local features by a fixed positional kernel, combined by one head of self-attention."""

    Config = PamStackedConfig

    def __init__(self, size: int, dim: int, config: PamStackedConfig | None = None) -> None:
        super().__init__()
        self.config = config or PamStackedConfig()
        width = self.config.width or dim
        self.units = UnitTable(size, width, self.config.rank, self.config.initial_scale)
        self.local = nn.Linear(width, width, bias=False)  # W_V of Eq. 5
        self.query = nn.Linear(width, self.config.attention, bias=False)
        self.key = nn.Linear(width, self.config.attention, bias=False)
        self.out = nn.Linear(width, dim, bias=False)  # W_O of Eq. 4
        self.dropout = nn.Dropout(self.config.dropout)
        self._width = width

    def forward(self, ids: Tensor) -> Tensor:
        present = ids != PAD
        local = positional_weights(present, self._width, self.config.kernel) @ self.local(self.dropout(self.units(ids)))
        pooled: Tensor = self.out(attention_sum(self.query(local), self.key(local), local, present))
        return pooled

    def tables(self) -> dict[str, Tensor]:
        # Everything before the softmax is linear in the unit.
        local = self.local(self.units.matrix())
        return {
            "query": self.query(local) / self.config.attention**0.5,
            "key": self.key(local),
            "value": self.out(local),
        }

    def runtime_config(self) -> dict[str, Any]:
        return {"width": self._width, "kernel": self.config.kernel}
