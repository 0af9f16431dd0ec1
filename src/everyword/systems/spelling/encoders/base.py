"""What every encoder can do, and the parts that encoders share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.models.forward.positions import KernelScale, kernel_logits
from everyword.text.units import PAD, UNK


class Encoder(nn.Module, ABC):
    """Padded unit ids (batch, length) → vectors (batch, dim), not normalised; padding never changes a vector."""

    units: UnitTable

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""

    @abstractmethod
    def fold(self) -> dict[str, FloatArray]:
        """The arrays from which the forward pass of the same name makes the same vectors without torch."""

    @abstractmethod
    def runtime_config(self) -> dict[str, Any]:
        """The few values that the forward pass needs beside its arrays."""

    def parameter_count(self) -> int:
        """How many numbers training may change."""
        return sum(parameter.numel() for parameter in self.parameters())


class UnitTable(nn.Module):
    """One vector a unit; with `rank`, the product of a narrow table and a matrix (the paper's Table A1).

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
        """The vectors of the units."""
        rows: Tensor = self.embedding(ids)
        return self.widen(rows) if self.widen is not None else rows

    def mean(self, ids: Tensor) -> Tensor:
        """The mean of the unit vectors of each row of padded ids, without making room for all of them at once."""
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
        return self.widen(means) if self.widen is not None else means

    def matrix(self) -> Tensor:
        """The whole table, one row a unit."""
        weight: Tensor = self.embedding.weight
        return self.widen(weight) if self.widen is not None else weight


@lru_cache(maxsize=256)
def _kernel_logits_on(device: torch.device, length: int, dim: int, scale: KernelScale) -> Tensor:
    return torch.from_numpy(kernel_logits(length, dim, scale)).to(device)


def positional_weights(present: Tensor, dim: int, scale: KernelScale) -> Tensor:
    """The positional kernel of Eq. 5 for each word of a batch."""
    return masked_softmax(_kernel_logits_on(present.device, present.shape[1], dim, scale).unsqueeze(0), present)


def masked_softmax(scores: Tensor, present: Tensor) -> Tensor:
    """Softmax over keys that leaves padding out."""
    return scores.masked_fill(~present.unsqueeze(1), float("-inf")).softmax(dim=-1)


def to_array(tensor: Tensor) -> FloatArray:
    """A detached float32 NumPy copy of a tensor."""
    array: FloatArray = tensor.detach().float().cpu().numpy().copy()
    return array
