"""LOVE's positional attention module as the paper prints it: SA(PA(X)) W_O, summed over the word (Eq. 4 and 5)."""

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
class PamStackedConfig:
    """Sizes of the stacked module."""

    width: int | None = None
    """Dimension of the unit vectors; the teacher's if not given."""
    attention: int = 32
    """Dimension of queries and keys."""
    kernel: KernelScale = "root4"
    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.2
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""


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
        """Encode a batch of padded id sequences."""
        present = ids != PAD
        local = positional_weights(present, self._width, self.config.kernel) @ self.local(self.dropout(self.units(ids)))
        scores = self.query(local) @ self.key(local).transpose(1, 2) / self.config.attention**0.5
        attention = masked_softmax(scores, present)
        # Summing over queries first, then over keys, is the sum of all attended vectors at n times less work.
        weights = (attention * present.unsqueeze(2)).sum(dim=1)
        pooled: Tensor = self.out((weights.unsqueeze(1) @ local).squeeze(1))
        return pooled

    def fold(self) -> dict[str, FloatArray]:
        """Three look-up tables: everything before the softmax is linear in the unit."""
        with torch.no_grad():
            local = self.local(self.units.matrix())
            return {
                "query": to_array(self.query(local) / self.config.attention**0.5),
                "key": to_array(self.key(local)),
                "value": to_array(self.out(local)),
            }

    def runtime_config(self) -> dict[str, Any]:
        """What the kernel depends on."""
        return {"width": self._width, "kernel": self.config.kernel}
