"""One head of plain self-attention, summed over the word: LOVE's encoder without its positional kernel.

    v = Σ over the word of softmax(X W_Q (X W_K)ᵀ / √a) X W_V

Nothing in it sees an order: letters that change places do not change the vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, masked_softmax, to_array
from everyword.text.units import PAD


@dataclass(frozen=True)
class SelfAttentionConfig:
    """Sizes of the attention."""

    width: int | None = None
    """Dimension of the unit vectors; the teacher's if not given."""
    attention: int = 32
    """Dimension of queries and keys."""
    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.2
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""


class SelfAttention(Encoder):
    """How much each unit counts is decided by all units of the word."""

    Config = SelfAttentionConfig

    def __init__(self, size: int, dim: int, config: SelfAttentionConfig | None = None) -> None:
        super().__init__()
        self.config = config or SelfAttentionConfig()
        width = self.config.width or dim
        self.units = UnitTable(size, width, self.config.rank, self.config.initial_scale)
        self.query = nn.Linear(width, self.config.attention, bias=False)
        self.key = nn.Linear(width, self.config.attention, bias=False)
        self.value = nn.Linear(width, dim, bias=False)
        self.dropout = nn.Dropout(self.config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        present = ids != PAD
        units = self.dropout(self.units(ids))
        scores = self.query(units) @ self.key(units).transpose(1, 2) / self.config.attention**0.5
        weights = (masked_softmax(scores, present) * present.unsqueeze(2)).sum(dim=1)
        pooled: Tensor = self.value((weights.unsqueeze(1) @ units).squeeze(1))
        return pooled

    def fold(self) -> dict[str, FloatArray]:
        """Three look-up tables: everything before the softmax is linear in the unit."""
        with torch.no_grad():
            units = self.units.matrix()
            return {
                "query": to_array(self.query(units) / self.config.attention**0.5),
                "key": to_array(self.key(units)),
                "value": to_array(self.value(units)),
            }

    def runtime_config(self) -> dict[str, Any]:
        """Nothing beside the tables."""
        return {}
