"""A convolution over the units of a word: filters of width 3, ReLU, the maximum over time, one linear map.

The ablation in LOVE's public code keeps its filters in a plain list, so they are never trained; here every filter is
a registered parameter. Biases start at zero: the unit vectors start small, and a bias must not drown them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.config import Count
from everyword.systems.spelling.encoders.base import Encoder, FactoredOptions, UnitTable
from everyword.text.units import PAD


@dataclass(frozen=True)
class CnnConfig(FactoredOptions):
    """Options of the convolutions."""

    width: Count | None = None
    """Dimension of the unit vectors; by default the teacher's."""
    widths: tuple[Count, ...] = (3,)
    """The number of units in a filter's window; one convolution for each."""
    filters: Count | None = None
    """Number of filters of each convolution; by default the teacher's dimension."""

    def problems(self) -> Iterator[str]:
        """Yield a message if a width is missing or repeated."""
        if not self.widths or len(set(self.widths)) < len(self.widths):
            yield f"widths must be one or more different numbers. Got {list(self.widths)} instead"


class Cnn(Encoder):
    """The maximum of each filter over the positions of the word, and a linear map."""

    Config = CnnConfig

    def __init__(self, size: int, dim: int, config: CnnConfig | None = None) -> None:
        super().__init__()
        self.config = config or CnnConfig()
        width, filters = self.config.width or dim, self.config.filters or dim
        self.units = UnitTable(size, width, self.config.rank, self.config.initial_scale)
        self.convolutions = nn.ModuleList(nn.Conv1d(width, filters, window) for window in self.config.widths)
        self.out = nn.Linear(len(self.config.widths) * filters, dim)
        self.dropout = nn.Dropout(self.config.dropout)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        absent = (ids == PAD).unsqueeze(1)
        units = self.dropout(self.units(ids)).transpose(1, 2)
        pooled = []
        for size, convolution in self._by_width():
            responses = convolution(F.pad(units, (size // 2, (size - 1) // 2))).relu()
            pooled.append(responses.masked_fill(absent, 0.0).amax(dim=2))
        vectors: Tensor = self.out(torch.cat(pooled, dim=1))
        return vectors

    def _by_width(self) -> Iterator[tuple[int, nn.Conv1d]]:
        for convolution in self.convolutions:
            assert isinstance(convolution, nn.Conv1d)
            yield convolution.kernel_size[0], convolution

    def tables(self) -> dict[str, Tensor]:
        tables = {"unit": self.units.matrix(), "out": self.out.weight.T, "out_bias": self.out.bias}
        for size, convolution in self._by_width():
            # One matrix over the units of a window.
            tables[f"filters_{size}"] = convolution.weight.permute(2, 1, 0).flatten(0, 1)
            tables[f"filters_{size}_bias"] = cast(Tensor, convolution.bias)
        return tables

    def runtime_config(self) -> dict[str, Any]:
        return {"widths": list(self.config.widths)}
