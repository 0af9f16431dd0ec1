"""A bidirectional LSTM over characters: MIMICK (Pinter et al. 2017) and Reconstruction (Stratos 2017) share it.

With r the last state of each direction, z = W r + b, and the head

    mlp      O tanh(z) + c                                          MIMICK
    relu     max(0, z)                                              Stratos, model (2)
    highway  t ∘ max(0, z) + (1 - t) ∘ z,  t = σ(U max(0, z) + c)   Stratos, model (3)
    linear   z

The head "relu" is there to reproduce the paper: it can never match a negative coordinate of its teacher.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import _VF, Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from everyword.config import Count, NonNegative
from everyword.systems.spelling.encoders.base import Dropout, Encoder, EncoderOptions, UnitTable
from everyword.text.units import PAD

WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


@dataclass(frozen=True)
class CharBiLstmConfig(EncoderOptions):
    """Options of the LSTM and its head; the defaults are those of Stratos, with all sizes the teacher's dimension."""

    char_dim: Count | None = None
    """Dimension of the unit vectors; by default the teacher's."""
    hidden: Count | None = None
    """Size of the state of each direction; by default the teacher's dimension."""
    head: Literal["mlp", "relu", "highway", "linear"] = "highway"
    dropout: Dropout = 0.0
    """On the input and the output of the LSTM."""
    initial_scale: NonNegative = 1.0


class CharBiLstm(Encoder):
    """The last states of an LSTM that reads the word in both directions, and a head."""

    Config = CharBiLstmConfig

    def __init__(self, size: int, dim: int, config: CharBiLstmConfig | None = None) -> None:
        super().__init__()
        self.config = config or CharBiLstmConfig()
        width, hidden = self.config.char_dim or dim, self.config.hidden or dim
        self.units = UnitTable(size, width, None, self.config.initial_scale)
        self.lstm = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, dim)
        self.second = nn.Linear(dim, dim) if self.config.head in ("mlp", "highway") else None
        self.dropout = nn.Dropout(self.config.dropout)
        for name, parameter in self.lstm.named_parameters():
            if name.startswith("weight_hh"):
                for gate in parameter.detach().chunk(4):
                    nn.init.orthogonal_(gate)

    def forward(self, ids: Tensor) -> Tensor:
        lengths, units = (ids != PAD).sum(dim=1).clamp(min=1), self.dropout(self.units(ids))
        ends = self._read_turned(units, lengths) if ids.is_cuda else self._read_packed(units, lengths)
        return self._head(self.dropout(ends))

    def _read_packed(self, units: Tensor, lengths: Tensor) -> Tensor:
        """Return the last states of both directions; packed, they end at the true end: padding is never read."""
        packed = pack_padded_sequence(units, lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)
        return torch.cat([last[0], last[1]], dim=1)

    def _read_turned(self, units: Tensor, lengths: Tensor) -> Tensor:
        """Return the same without knowing the lengths: a GPU would have to wait for the processor to pack words.

        Words are read from the left, and turned round once more; the states at their last characters are taken.
        """
        position = torch.arange(units.shape[1], device=units.device)
        turned = (lengths[:, None] - 1 - position).clamp(min=0)[:, :, None].expand_as(units)
        start = units.new_zeros(1, len(units), self.lstm.hidden_size)
        at_end = (lengths - 1)[:, None, None].expand(-1, 1, self.lstm.hidden_size)
        ends = []
        for read, suffix in ((units, "l0"), (units.gather(1, turned), "l0_reverse")):
            weights = [getattr(self.lstm, f"{name}_{suffix}") for name in WEIGHTS]
            states, _, _ = _VF.lstm(read, (start, start), weights, True, 1, 0.0, self.training, False, True)
            ends.append(states.gather(1, at_end).squeeze(1))
        return torch.cat(ends, dim=1)

    def _head(self, states: Tensor) -> Tensor:
        plain: Tensor = self.out(states)
        if self.second is None:
            return plain.relu() if self.config.head == "relu" else plain
        if self.config.head == "mlp":
            bent: Tensor = self.second(plain.tanh())
            return bent
        rectified = plain.relu()
        share: Tensor = self.second(rectified).sigmoid()
        return share * rectified + (1 - share) * plain

    def tables(self) -> dict[str, Tensor]:
        tables: dict[str, Tensor] = {"unit": self.units.matrix(), "out": self.out.weight.T, "out_bias": self.out.bias}
        if self.second is not None:
            tables |= {"second": self.second.weight.T, "second_bias": self.second.bias}
        for direction, suffix in (("forward", "l0"), ("backward", "l0_reverse")):
            tables[f"{direction}_input"] = getattr(self.lstm, f"weight_ih_{suffix}").T
            tables[f"{direction}_recurrent"] = getattr(self.lstm, f"weight_hh_{suffix}").T
            biases = (getattr(self.lstm, f"bias_{part}_{suffix}") for part in ("ih", "hh"))
            tables[f"{direction}_bias"] = next(biases) + next(biases)
        return tables

    def runtime_config(self) -> dict[str, Any]:
        return {"head": self.config.head}
