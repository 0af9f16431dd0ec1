"""BoS, the bag of substrings (Zhao, Mudgal and Liang 2018): the mean of the vectors of a word's n-grams.

The published step adds the whole error to each n-gram, without the 1/|S| that the mean's gradient has. Adam divides
by the size of the gradient, so here the factor would make no difference, and the gradient is the true one.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from everyword.systems.spelling.encoders.base import Dropout, Encoder, FactoredOptions, UnitTable
from everyword.text.units import PAD


@dataclass(frozen=True)
class BagOfSubstringsConfig(FactoredOptions):
    """Options of the bag of substrings; the publication has initial_scale=0, which not all losses allow."""

    dropout: Dropout = 0.0
    """The fraction of n-grams that are left out in training, at random."""


class BagOfSubstrings(Encoder):
    """The mean of the unit vectors."""

    Config = BagOfSubstringsConfig

    def __init__(self, size: int, dim: int, config: BagOfSubstringsConfig | None = None) -> None:
        super().__init__()
        self.config = config or BagOfSubstringsConfig()
        self.units = UnitTable(size, dim, self.config.rank, self.config.initial_scale)
        self.dropout = nn.Dropout(self.config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        present = (ids != PAD).to(self.units.embedding.weight.dtype)
        shares = self.dropout(present / present.sum(dim=1, keepdim=True).clamp(min=1))
        vectors: Tensor = (shares.unsqueeze(1) @ self.units(ids)).squeeze(1)
        return vectors

    def tables(self) -> dict[str, Tensor]:
        return {"unit": self.units.matrix()}
