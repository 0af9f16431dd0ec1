"""The interface of encoders, the options that they share, and attention with padding left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.config import Count, NonNegative, Range
from everyword.models.forward.arithmetic import KernelScale, kernel_logits
from everyword.text.units import PAD, UNK

Dropout = Annotated[float, Range(0, 1, open_high=True)]


@dataclass(frozen=True)
class EncoderOptions:
    """Options of every encoder."""

    dropout: Dropout = 0.2
    initial_scale: NonNegative = 0.01
    """Standard deviation of the unit vectors before training."""


@dataclass(frozen=True)
class FactoredOptions(EncoderOptions):
    """Options of encoders whose unit table can be factored."""

    rank: Count | None = None
    """Factor the unit table through this many dimensions."""


class Encoder(nn.Module, ABC):
    """Padded unit ids (batch, length) → vectors (batch, dim), not normalised; padding never changes a vector."""

    units: UnitTable

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""

    @abstractmethod
    def tables(self) -> dict[str, Tensor]:
        """Return the tables from which the forward pass of the same name computes the same vectors without torch.

        Matrices are transposed for products with row vectors.
        """

    def fold(self) -> dict[str, FloatArray]:
        """Return the tables as arrays."""
        with torch.no_grad():
            return {name: to_array(table) for name, table in self.tables().items()}

    def runtime_config(self) -> dict[str, Any]:
        """Return the settings that the forward pass needs besides its tables."""
        return {}

    def parameter_count(self) -> int:
        """Return the number of trained parameters."""
        return sum(parameter.numel() for parameter in self.parameters())


class UnitTable(nn.Module):
    """One vector per unit; with `rank`, the product of a narrow table and a matrix (the paper's Table A1).

    Padding and the unknown unit are zero and stay so unless a training word holds the latter: they get no gradient.
    """

    def __init__(self, size: int, dim: int, rank: int | None, initial_scale: float) -> None:
        super().__init__()
        # Sparse gradients: a batch touches a few thousand rows, and the optimiser should touch no more.
        self.embedding = nn.Embedding(size, rank or dim, padding_idx=PAD, sparse=True)
        self.widen = nn.Linear(rank, dim, bias=False) if rank else None
        with torch.no_grad():
            # Outputs are compared by direction, so the smaller the start, the further one step of Adam turns it.
            self.embedding.weight *= initial_scale
            self.embedding.weight[UNK] = 0.0

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vectors of units."""
        return self._widened(self.embedding(ids))

    def mean(self, ids: Tensor) -> Tensor:
        """Return the mean of the unit vectors of each row of padded ids, without allocating all of them at once."""
        present = ids != PAD
        counts = present.sum(dim=1)
        # Flat ids, because the gradient of padding would take as much time as that of units.
        means = F.embedding_bag(
            ids[present],
            self.embedding.weight,
            counts.cumsum(0) - counts,
            mode="mean",
            sparse=self.embedding.sparse,
        )
        return self._widened(means)

    def matrix(self) -> Tensor:
        """Return the whole table, one row per unit."""
        return self._widened(self.embedding.weight)

    def _widened(self, rows: Tensor) -> Tensor:
        return self.widen(rows) if self.widen is not None else rows


@lru_cache(maxsize=256)
def _kernel_logits_on(device: torch.device, length: int, dim: int, scale: KernelScale) -> Tensor:
    return torch.from_numpy(kernel_logits(length, dim, scale)).to(device)


def positional_weights(present: Tensor, dim: int, scale: KernelScale) -> Tensor:
    """Return the positional kernel of Eq. 5 for each word of a batch."""
    return masked_softmax(_kernel_logits_on(present.device, present.shape[1], dim, scale).unsqueeze(0), present)


def masked_softmax(scores: Tensor, present: Tensor) -> Tensor:
    """Return the softmax over keys, with padding left out."""
    return scores.masked_fill(~present.unsqueeze(1), float("-inf")).softmax(dim=-1)


def attention_sum(query: Tensor, key: Tensor, value: Tensor, present: Tensor) -> Tensor:
    """Return the sum of the attended vectors of each word (scaled dot-product attention)."""
    attention = masked_softmax(query @ key.transpose(1, 2) / query.shape[2] ** 0.5, present)
    # Summing over queries first, then over keys, is the sum of all attended vectors at n times less work.
    weights = (attention * present.unsqueeze(2)).sum(dim=1)
    return (weights.unsqueeze(1) @ value).squeeze(1)


def to_array(tensor: Tensor) -> FloatArray:
    """Return a detached float32 NumPy copy of a tensor."""
    array: FloatArray = tensor.detach().float().cpu().numpy().copy()
    return array
