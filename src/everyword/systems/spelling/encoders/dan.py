"""A deep averaging network (Iyyer et al. 2015) over the units of a word: their mean, then a few dense maps.

    p = 8 mean(v)
    o = A p + a + B relu(C p + c)
    o + E relu(D o)                  with two blocks

A bag of n-grams is linear in its units, so it cannot express that "un" before "known" turns a meaning and before "til"
does not; the hidden layer can. It costs two small products per word, whatever the number of units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.config import Count
from everyword.systems.spelling.encoders.base import Dropout, Encoder, EncoderOptions, UnitTable
from everyword.text.units import PAD

GAIN = 8.0
"""A mean of thirty vectors moves a thirtieth as far as each of them; the gain gives the unit table its share back."""


@dataclass(frozen=True)
class DeepAveragingConfig(EncoderOptions):
    """Options of the network."""

    width: Count = 128
    """Dimension of the unit vectors."""
    hidden: Count = 512
    """Dimension of the hidden layer of each block."""
    blocks: Literal[1, 2] = 1
    dropout: Dropout = 0.0
    """The fraction of units that are left out of the mean in training, at random."""


class DeepAveraging(Encoder):
    """The mean of the unit vectors, transformed by one or two hidden layers."""

    Config = DeepAveragingConfig

    def __init__(self, size: int, dim: int, config: DeepAveragingConfig | None = None) -> None:
        super().__init__()
        self.config = config or DeepAveragingConfig()
        width, hidden = self.config.width, self.config.hidden
        self.units = UnitTable(size, width, None, self.config.initial_scale)
        self.straight = nn.Linear(width, dim)
        self.inner, self.outer = nn.Linear(width, hidden), nn.Linear(hidden, dim, bias=False)
        # Beside unit vectors that start small, biases that do not would make all words look alike.
        nn.init.zeros_(self.straight.bias)
        nn.init.zeros_(self.inner.bias)
        if self.config.blocks == 2:
            self.second_inner = nn.Linear(dim, hidden, bias=False)
            self.second_outer = nn.Linear(hidden, dim, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        if self.training and self.config.dropout:
            ids = ids.masked_fill(torch.rand(ids.shape, device=ids.device) < self.config.dropout, PAD)
        mean = GAIN * self.units.mean(ids)
        vectors: Tensor = self.straight(mean) + self.outer(F.relu(self.inner(mean)))
        if self.config.blocks == 2:
            vectors = vectors + self.second_outer(F.relu(self.second_inner(vectors)))
        return vectors

    def tables(self) -> dict[str, Tensor]:
        tables = {
            "unit": self.units.matrix(),
            "straight": GAIN * self.straight.weight.T,
            "straight_bias": self.straight.bias,
            "inner": GAIN * self.inner.weight.T,
            "inner_bias": self.inner.bias,
            "outer": self.outer.weight.T,
        }
        if self.config.blocks == 2:
            tables |= {"second_inner": self.second_inner.weight.T, "second_outer": self.second_outer.weight.T}
        return tables
