"""One head of plain self-attention, summed over the word: LOVE's encoder without its positional kernel.

    v = Σ over the word of softmax(X W_Q (X W_K)ᵀ / √a) X W_V

It does not see order: swapping two letters does not change the vector.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from everyword.config import Count
from everyword.systems.spelling.encoders.base import Encoder, FactoredOptions, UnitTable, attention_sum
from everyword.text.units import PAD


@dataclass(frozen=True)
class SelfAttentionConfig(FactoredOptions):
    """Options of self-attention."""

    width: Count | None = None
    """Dimension of the unit vectors; by default the teacher's."""
    attention: Count = 32
    """Dimension of queries and keys."""


class SelfAttention(Encoder):
    """A sum of unit vectors, weighted by all units of the word."""

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
        units = self.dropout(self.units(ids))
        pooled: Tensor = self.value(attention_sum(self.query(units), self.key(units), units, ids != PAD))
        return pooled

    def tables(self) -> dict[str, Tensor]:
        # Everything before the softmax is linear in the unit.
        units = self.units.matrix()
        return {
            "query": self.query(units) / self.config.attention**0.5,
            "key": self.key(units),
            "value": self.value(units),
        }
