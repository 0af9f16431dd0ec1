"""A small transformer over the units of a word: what LOVE's one light layer is measured against.

Norms stand before attention and dense maps; positions are sinusoids, added with a strength that is learnt and starts
as small as the unit vectors do, or words of one length would all look alike at the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.models.forward.arithmetic import LAYER_NORM_EPSILON
from everyword.models.forward.positions import sinusoids
from everyword.systems.spelling.encoders.base import Encoder, UnitTable, to_array
from everyword.text.units import PAD


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes of the transformer."""

    width: int = 96
    """Dimension of the unit vectors and of everything inside."""
    layers: int = 2
    heads: int = 4
    feed_forward: int = 192
    """Dimension of the hidden part of the dense maps."""
    rank: int | None = None
    """Factor the unit table through this many dimensions."""
    dropout: float = 0.1
    initial_scale: float = 0.01
    """Standard deviation of the unit vectors before training."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if min(self.width, self.layers, self.heads, self.feed_forward) < 1:
            yield "width, layers, heads and feed_forward must be 1 or more"
        elif self.width % self.heads:
            yield f"width must be a multiple of heads. Got {self.width} and {self.heads} instead"


class Layer(nn.Module):
    """One layer: attention, then a dense map, each after a norm and beside a residual."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        width = config.width
        self.heads = config.heads
        self.attention_norm = nn.LayerNorm(width, eps=LAYER_NORM_EPSILON)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.dense_norm = nn.LayerNorm(width, eps=LAYER_NORM_EPSILON)
        self.widen = nn.Linear(width, config.feed_forward)
        self.narrow = nn.Linear(config.feed_forward, width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, stream: Tensor, present: Tensor) -> Tensor:
        """The stream with what this layer adds."""
        stream = stream + self.dropout(self._attended(self.attention_norm(stream), present))
        added: Tensor = self.dropout(self.narrow(self.widen(self.dense_norm(stream)).relu()))
        return stream + added

    def _attended(self, stream: Tensor, present: Tensor) -> Tensor:
        words, units, width = stream.shape
        mixed = self.query_key_value(stream).view(words, units, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attended = nn.functional.scaled_dot_product_attention(
            mixed[0], mixed[1], mixed[2], attn_mask=present[:, None, None, :]
        )
        together: Tensor = self.mix(attended.transpose(1, 2).reshape(words, units, width))
        return together


class Transformer(Encoder):
    """Units that look at each other twice, averaged."""

    Config = TransformerConfig

    def __init__(self, size: int, dim: int, config: TransformerConfig | None = None) -> None:
        super().__init__()
        self.config = config or TransformerConfig()
        self.units = UnitTable(size, self.config.width, self.config.rank, self.config.initial_scale)
        self.position_gain = nn.Parameter(torch.tensor([self.config.initial_scale]))
        self.layers = nn.ModuleList(Layer(self.config) for _ in range(self.config.layers))
        self.norm = nn.LayerNorm(self.config.width, eps=LAYER_NORM_EPSILON)
        self.out = nn.Linear(self.config.width, dim)
        self.dropout = nn.Dropout(self.config.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode a batch of padded id sequences."""
        present = ids != PAD
        positions = torch.from_numpy(sinusoids(ids.shape[1], self.config.width)).to(ids.device, torch.float32)
        stream = self.dropout(self.units(ids) + self.position_gain * positions)
        for layer in self.layers:
            stream = layer(stream, present)
        present = present.unsqueeze(2)
        mean = (self.norm(stream) * present).sum(dim=1) / present.sum(dim=1).clamp(min=1)
        vectors: Tensor = self.out(mean)
        return vectors

    def fold(self) -> dict[str, FloatArray]:
        """The weights by layer and name, turned for rows."""
        tables = {"unit": self.units.matrix(), "position_gain": self.position_gain}
        for place, module in self.named_modules():
            name = place.removeprefix("layers.")
            if isinstance(module, nn.LayerNorm):
                tables |= {f"{name}_gain": module.weight, f"{name}_bias": module.bias}
            elif isinstance(module, nn.Linear) and not name.startswith("units."):
                tables |= {name: module.weight.T, f"{name}_bias": module.bias}
        return {name: to_array(table) for name, table in tables.items()}

    def runtime_config(self) -> dict[str, Any]:
        """How the tables are put together."""
        return {"layers": self.config.layers, "heads": self.config.heads}
