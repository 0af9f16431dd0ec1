"""A deep averaging network (Iyyer et al. 2015) over the units of a word: their mean, then a few dense maps.

    p = 8 mean(v)
    o = A p + a + B relu(C p + c)
    o + E relu(D o)                  with two blocks

A bag of n-grams is linear in its units, so it cannot say that "un" before "known" turns a meaning and before "til" does
not; the hidden layer can. What it costs is two small products a word, whatever the number of units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, to_array
from everyword.text.units import PAD

GAIN = 8.0
"""A mean of thirty vectors moves a thirtieth as far as each of them; the gain gives the unit table its share back."""


@dataclass(frozen=True)
class DeepAveragingConfig:
    """Sizes of the network."""

    width: int = 128
    """Length of the unit vectors."""
    hidden: int = 512
    """Length of the hidden layer of each block."""
    blocks: Literal[1, 2] = 1
    dropout: float = 0.0
    """Share of the units that are left out of the mean in training, at random."""
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        for name, value in (("width", self.width), ("hidden", self.hidden)):
            if value < 1:
                yield f"{name} must be 1 or more. Got {value} instead"
        if not 0 <= self.dropout < 1:
            yield f"dropout must be 0 or more and below 1. Got {self.dropout} instead"


class DeepAveraging(Encoder):
    """The mean of the unit vectors, bent by one or two hidden layers."""

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
        """Encode a batch of padded id sequences."""
        if self.training and self.config.dropout:
            ids = ids.masked_fill(torch.rand(ids.shape, device=ids.device) < self.config.dropout, PAD)
        mean = GAIN * self.units.mean(ids)
        vectors: Tensor = self.straight(mean) + self.outer(F.relu(self.inner(mean)))
        if self.config.blocks == 2:
            vectors = vectors + self.second_outer(F.relu(self.second_inner(vectors)))
        return vectors

    def fold(self) -> dict[str, FloatArray]:
        """The unit table and the matrices, turned for products with row vectors; the first ones hold the gain."""
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
        return {name: to_array(table) for name, table in tables.items()}

    def runtime_config(self) -> dict[str, Any]:
        """Nothing beside the tables: they tell sizes and blocks."""
        return {}
