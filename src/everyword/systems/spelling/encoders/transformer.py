"""A small transformer over the units of a word, to compare LOVE's one light layer with.

Norms come before attention and dense maps. Positions are sinusoids, added with a gain that is learnt and starts as
small as the unit vectors, or words of one length would all look alike at the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.config import Count
from everyword.models.forward.arithmetic import LAYER_NORM_EPSILON, sinusoids
from everyword.systems.spelling.encoders.base import Dropout, Encoder, FactoredOptions, UnitTable
from everyword.text.units import PAD


@dataclass(frozen=True)
class TransformerConfig(FactoredOptions):
    """Options of the transformer."""

    width: Count = 96
    """Dimension of the unit vectors and of the residual stream."""
    layers: Count = 2
    heads: Count = 4
    feed_forward: Count = 192
    """Dimension of the hidden layer of the dense maps."""
    dropout: Dropout = 0.1

    def problems(self) -> Iterator[str]:
        """Yield a message if the width cannot be divided among the heads."""
        if self.width % self.heads:
            yield f"width must be a multiple of heads. Got {self.width} and {self.heads} instead"


class Layer(nn.Module):
    """One layer: attention, then a dense map, each after a norm and with a residual connection."""

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
        """Return the residual stream with the layer's additions."""
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
    """The mean of the outputs of a small transformer."""

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
        present = ids != PAD
        positions = torch.from_numpy(sinusoids(ids.shape[1], self.config.width)).to(ids.device, torch.float32)
        stream = self.dropout(self.units(ids) + self.position_gain * positions)
        for layer in self.layers:
            stream = layer(stream, present)
        present = present.unsqueeze(2)
        mean = (self.norm(stream) * present).sum(dim=1) / present.sum(dim=1).clamp(min=1)
        vectors: Tensor = self.out(mean)
        return vectors

    def tables(self) -> dict[str, Tensor]:
        tables = {"unit": self.units.matrix(), "position_gain": self.position_gain}
        for path, module in self.named_modules():
            name = path.removeprefix("layers.")
            if isinstance(module, nn.LayerNorm):
                tables |= {f"{name}_gain": module.weight, f"{name}_bias": module.bias}
            elif isinstance(module, nn.Linear) and not name.startswith("units."):
                tables |= {name: module.weight.T, f"{name}_bias": module.bias}
        return tables

    def runtime_config(self) -> dict[str, Any]:
        return {"layers": self.config.layers, "heads": self.config.heads}
