"""Speaker, channel and listener of several games that are played side by side.

All weights have one more dimension, the game: games share nothing but the size of their networks, and the sum of their
losses gives each the gradient that it would have alone. Their messages may have different lengths: the shorter ones
are filled up with bits that the listener does not see.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.systems.codes.config import CodesConfig

TINY = 1e-6
STATE_SCALE, BIT_SCALE = 3.0, 10.0
"""Of the speaker's first weights, beside the usual ones. With these, an LSTM that reads the same input at every step
soon stands still, so that all bits are alike and nearly even: a thousand strings would share a few dozen messages."""


class Played(NamedTuple):
    """A round of all games."""

    bit_logits: Tensor
    """(games, batch, bits)."""
    symbol_logits: Tensor
    """(games, batch, concepts, symbols)."""
    reconstruction: Tensor
    """Nats per string, (games, batch)."""
    divergence: Tensor
    """Of the speaker's bits from the prior, (games, batch)."""


class Lstms(nn.Module):
    """An LSTM per game that reads the same input at every step."""

    def __init__(
        self, inputs: Sequence[int], hidden: int, generators: Sequence[torch.Generator], state_scale: float = 1.0
    ) -> None:
        super().__init__()
        self.hidden = hidden
        bound, widest = 1 / math.sqrt(hidden), max(inputs)
        drawn = [_uniform((width, 4 * hidden), bound, one) for width, one in zip(inputs, generators, strict=True)]
        self.of_input = nn.Parameter(torch.stack([F.pad(one, (0, 0, 0, widest - len(one))) for one in drawn]))
        square = [_uniform((hidden, 4 * hidden), state_scale * bound, one) for one in generators]
        self.of_state = nn.Parameter(torch.stack(square))
        self.bias = nn.Parameter(torch.stack([_uniform((1, 4 * hidden), bound, one) for one in generators]))

    def forward(self, inputs: Tensor, steps: int) -> Tensor:
        """Return the states of each step, (games, batch, steps, hidden)."""
        given = torch.baddbmm(self.bias, inputs, self.of_input)  # the same for all steps
        gates, cell = given, given.new_zeros(())
        states = []
        for _ in range(steps):
            into, forget, out, new = gates.chunk(4, dim=-1)
            cell = forget.sigmoid() * cell + into.sigmoid() * new.tanh()
            states.append(out.sigmoid() * cell.tanh())
            gates = torch.baddbmm(given, states[-1], self.of_state)
        return torch.stack(states, dim=2)


class Games(nn.Module):
    """A speaker, a prior and a listener for each of several games.

    Args:
        configs: The games; they may differ in bits, beta and seed. Initial weights depend on a game's own seed only.
    """

    def __init__(self, configs: Sequence[CodesConfig]) -> None:
        super().__init__()
        first, bits = configs[0], [config.bits for config in configs]
        self.concepts, self.values, self.bits = first.concepts, first.values, max(bits)
        generators = [torch.Generator().manual_seed(config.seed) for config in configs]
        sizes = (first.embedding, first.hidden, first.bit_embedding)
        tables = [torch.randn(first.symbols, sizes[0], generator=one) for one in generators]
        self.value_table = nn.Parameter(torch.stack(tables))
        self.speaker = Lstms([first.concepts * sizes[0]] * len(configs), sizes[1], generators, STATE_SCALE)
        bound = 1 / math.sqrt(sizes[1])
        self.to_bit = nn.Parameter(torch.stack([_uniform((sizes[1], 1), BIT_SCALE * bound, g) for g in generators]))
        self.bit_table = nn.Parameter(torch.stack([torch.randn(2, sizes[2], generator=one) for one in generators]))
        self.listener = Lstms([count * sizes[2] for count in bits], sizes[1], generators)
        self.to_symbol = nn.Parameter(torch.stack([_uniform((sizes[1], first.symbols), bound, g) for g in generators]))
        self.symbol_bias = nn.Parameter(torch.zeros(len(configs), 1, first.symbols))
        self.log_temperature = nn.Parameter(torch.full((len(configs), 1, 1), math.log(first.temperature)))
        self.prior_logits = nn.Parameter(torch.zeros(len(configs), self.bits))
        used = torch.arange(self.bits) < torch.tensor(bits)[:, None]
        self.register_buffer("used", used[:, None].float(), persistent=False)
        self.register_buffer("first_symbols", torch.arange(first.concepts) * first.values, persistent=False)
        self.used: Tensor
        self.first_symbols: Tensor

    def __len__(self) -> int:
        return len(self.used)

    def speak(self, strings: Tensor) -> Tensor:
        """Return the log-odds of each bit, (games, batch, bits), for values of concepts, (games, batch, concepts)."""
        tables = torch.arange(len(self), device=strings.device)[:, None, None] * self.value_table.shape[1]
        flat = F.embedding(strings + self.first_symbols + tables, self.value_table.flatten(0, 1)).flatten(2)
        states = self.speaker(flat, self.bits)
        logits: Tensor = torch.einsum("gbth,gho->gbt", states, self.to_bit)
        return logits

    def listen(self, bits: Tensor) -> Tensor:
        """Return the log-odds of the symbols at each place, (games, batch, concepts, symbols), for bits 0 and 1."""
        zero, one = (self.bit_table[:, None, None, value] for value in (0, 1))
        embedded = (zero + bits[..., None] * (one - zero)) * self.used[..., None]
        states = self.listener(embedded.flatten(2), self.concepts)
        logits: Tensor = torch.einsum("gbth,gho->gbto", states, self.to_symbol) + self.symbol_bias[:, None]
        return logits

    def forward(self, strings: Tensor, noise: Tensor) -> Played:
        """Play a round.

        Args:
            strings: The values of the concepts, (games, batch, concepts).
            noise: Numbers between 0 and 1, one per bit, (games, batch, bits).
        """
        logits = self.speak(strings)
        bits = straight_through(logits, noise, self.log_temperature.exp())
        symbols = self.listen(bits)
        losses = F.cross_entropy(symbols.flatten(0, 2), (strings + self.first_symbols).flatten(), reduction="none")
        divergence = (bernoulli_divergence(logits, self.prior_logits[:, None]) * self.used).sum(dim=-1)
        return Played(logits, symbols, losses.view(strings.shape).sum(dim=-1), divergence)


def straight_through(logits: Tensor, noise: Tensor, temperature: Tensor) -> Tensor:
    """Return sampled bits, exactly 0 or 1, whose gradient is that of their relaxation.

    The two-way Gumbel-softmax: the difference of two Gumbel variables is logistic.

    Args:
        logits: The log-odds of each bit.
        noise: Numbers between 0 and 1 of the same shape.
        temperature: Of the relaxation.
    """
    even = noise.clamp(TINY, 1 - TINY)
    shifted = logits + even.log() - (-even).log1p()
    soft = (shifted / temperature).sigmoid()
    hard = (shifted > 0).to(soft.dtype)
    return hard + (soft - soft.detach())


def bernoulli_divergence(logits: Tensor, prior_logits: Tensor) -> Tensor:
    """Return the Kullback-Leibler divergence of bits from others, both given by their log-odds, in nats."""
    chance = logits.sigmoid()
    one = F.logsigmoid(logits) - F.logsigmoid(prior_logits)
    zero = F.logsigmoid(-logits) - F.logsigmoid(-prior_logits)
    return chance * one + (1 - chance) * zero


def _uniform(shape: tuple[int, ...], bound: float, generator: torch.Generator) -> Tensor:
    return (2 * torch.rand(shape, generator=generator) - 1) * bound
