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

from everyword.arrays import FloatArray
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, to_array
from everyword.text.units import PAD


@dataclass(frozen=True)
class CnnConfig:
    """Sizes of the convolutions."""

    width: int | None = None
    """Dimension of the unit vectors; the teacher's if not given."""
    widths: tuple[int, ...] = (3,)
    """Units that a filter sees at once; one convolution for each."""
    filters: int | None = None
    """Filters of each convolution; as many as the vectors are long if not given."""
    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.2
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not self.widths or min(self.widths) < 1 or len(set(self.widths)) < len(self.widths):
            yield f"widths must be different whole numbers of 1 or more. Got {list(self.widths)} instead"


class Cnn(Encoder):
    """Which local patterns occur anywhere in the word."""

    Config = CnnConfig

    def __init__(self, size: int, dim: int, config: CnnConfig | None = None) -> None:
        super().__init__()
        self.config = config or CnnConfig()
        width, filters = self.config.width or dim, self.config.filters or dim
        self.units = UnitTable(size, width, self.config.rank, self.config.initial_scale)
        self.convolutions = nn.ModuleList(nn.Conv1d(width, filters, seen) for seen in self.config.widths)
        self.out = nn.Linear(len(self.config.widths) * filters, dim)
        self.dropout = nn.Dropout(self.config.dropout)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        absent = (ids == PAD).unsqueeze(1)
        units = self.dropout(self.units(ids)).transpose(1, 2)
        found = []
        for seen, convolution in self._by_width():
            answers = convolution(F.pad(units, (seen // 2, (seen - 1) // 2))).relu()
            found.append(answers.masked_fill(absent, 0.0).amax(dim=2))
        vectors: Tensor = self.out(torch.cat(found, dim=1))
        return vectors

    def _by_width(self) -> Iterator[tuple[int, nn.Conv1d]]:
        for convolution in self.convolutions:
            assert isinstance(convolution, nn.Conv1d)
            yield convolution.kernel_size[0], convolution

    def fold(self) -> dict[str, FloatArray]:
        """The unit table, and each convolution as one matrix over the units of a window."""
        with torch.no_grad():
            tables = {
                "unit": self.units.matrix(),
                "out": self.out.weight.T,
                "out_bias": self.out.bias,
            }
            for seen, convolution in self._by_width():
                tables[f"filters_{seen}"] = convolution.weight.permute(2, 1, 0).flatten(0, 1)
                tables[f"filters_{seen}_bias"] = cast(Tensor, convolution.bias)
            return {name: to_array(table) for name, table in tables.items()}

    def runtime_config(self) -> dict[str, Any]:
        """The widths of the filters."""
        return {"widths": list(self.config.widths)}
