"""BoS, the bag of substrings (Zhao, Mudgal and Liang 2018): the mean of the vectors of a word's n-grams.

The published step adds the whole error to each n-gram, without the 1/|S| that the mean's gradient has. Adam divides
by the size of the gradient, so here the factor would make no difference, and the gradient is the true one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, to_array
from everyword.text.units import PAD


@dataclass(frozen=True)
class BagOfSubstringsConfig:
    """The start and the width of the table; there is nothing else."""

    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.0
    """Share of the n-grams that are left out in training, at random."""
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training; the publication starts at 0, for losses that can."""


class BagOfSubstrings(Encoder):
    """The mean of the unit vectors."""

    Config = BagOfSubstringsConfig

    def __init__(self, size: int, dim: int, config: BagOfSubstringsConfig | None = None) -> None:
        super().__init__()
        self.config = config or BagOfSubstringsConfig()
        self.units = UnitTable(size, dim, self.config.rank, self.config.initial_scale)
        self.dropout = nn.Dropout(self.config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        present = (ids != PAD).to(self.units.embedding.weight.dtype)
        shares = self.dropout(present / present.sum(dim=1, keepdim=True).clamp(min=1))
        vectors: Tensor = (shares.unsqueeze(1) @ self.units(ids)).squeeze(1)
        return vectors

    def fold(self) -> dict[str, FloatArray]:
        """The table itself."""
        with torch.no_grad():
            return {"unit": to_array(self.units.matrix())}

    def runtime_config(self) -> dict[str, Any]:
        """Nothing beside the table."""
        return {}
