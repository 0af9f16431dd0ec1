"""A bidirectional LSTM over word vectors with attention: the score of a text is made of the scores of its words.

Attention sums to 1 and the output is linear: the score of a text is the mean of the scores of its words, weighted by
attention. Weights other than the network's own can be given, which shows how much they matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from everyword.config import Count, NonNegative, Positive

Attention = Literal["additive", "dot"]
States = Literal["base", "concat", "residual"]
Objective = Literal["none", "tying", "mlm"]
QUERY = "query"


@dataclass(frozen=True)
class AttentionConfig:
    """The network and its training."""

    attention: Attention = "additive"
    """v·tanh(W h + b), or the product of h with one learnt vector."""
    states: States = "base"
    """What attention sums: the states h of the LSTM, h with the word vectors beside them, or the sum of both."""
    hidden: Count | None = None
    """Units of each direction; None for half the dimension of the word vectors, so that states are as long as these."""
    layers: Count = 1
    scorer: Count = 150
    """The width of W in additive attention."""
    dropout: NonNegative = 0.3
    """Of the word vectors."""
    epochs: Count = 12
    patience: Count = 3
    """Training stops after this many epochs without a better F1 on dev."""
    batch: Count = 32
    learning_rate: Positive = 1e-3
    weight_decay: NonNegative = 1e-5
    clip: Positive = 5.0
    longest: Count = 400
    """Longer texts are cut."""
    objective: Objective = "none"
    """What is learnt beside the labels: states near the vectors of their words, or states that name hidden words."""
    objective_weight: NonNegative = 1.0
    seed: int = 0

    def problems(self) -> Iterator[str]:
        """Yield a message for a share that is none."""
        if self.dropout >= 1:
            yield f"dropout must be below 1. Got {self.dropout} instead"


class AttentionPass(NamedTuple):
    """What the network does with a batch of texts."""

    scores: Tensor
    """(texts, labels)."""
    weights: Tensor
    """Attention, (texts, words); zeros behind the last word."""
    token_scores: Tensor
    """(texts, words, labels): the scores that a text would have with all attention on one word."""
    states: Tensor
    """What attention sums, (texts, words, width)."""
    inputs: Tensor
    """The word vectors."""


class AttentionNetwork(nn.Module):
    """Word vectors and lengths of texts → scores of labels, with attention."""

    def __init__(self, dim: int, labels: int, config: AttentionConfig) -> None:
        super().__init__()
        self.config = config
        hidden = config.hidden or (dim + 1) // 2
        self.lstm = nn.LSTM(dim, hidden, config.layers, batch_first=True, bidirectional=True)
        width = 2 * hidden + (dim if config.states == "concat" else 0)
        self.to_input = nn.Linear(2 * hidden, dim) if config.states == "residual" and 2 * hidden != dim else None
        width = dim if config.states == "residual" else width
        self.width = width
        """The length of what attention sums."""
        self.dropout = nn.Dropout(config.dropout)
        self.output: nn.Module = nn.Linear(width, labels)
        if config.attention == "additive":
            self.scorer: nn.Module | None = nn.Sequential(
                nn.Linear(width, config.scorer), nn.Tanh(), nn.Linear(config.scorer, 1, bias=False)
            )
        else:
            self.scorer = None
            # From N(0, 1): with the smaller numbers of a linear layer, attention stays even.
            self.register_parameter(QUERY, nn.Parameter(torch.randn(width)))

    def forward(self, inputs: Tensor, lengths: Tensor, weights: Tensor | None = None) -> AttentionPass:
        """Read texts.

        Args:
            inputs: Word vectors, (texts, words, dim).
            lengths: How many words each text has, 1 or more.
            weights: Attention to use instead of the network's own, (texts, words).
        """
        vectors = self.dropout(inputs)
        packed = pack_padded_sequence(vectors, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=inputs.shape[1])
        if self.config.states == "concat":
            states = torch.cat([states, vectors], dim=-1)
        elif self.config.states == "residual":
            states = vectors + (states if self.to_input is None else self.to_input(states))
        if weights is None:
            outside = torch.arange(inputs.shape[1], device=inputs.device) >= lengths[:, None].to(inputs.device)
            weights = self._energies(states).masked_fill(outside, float("-inf")).softmax(dim=-1)
        token_scores = self.output(states)
        return AttentionPass((weights[..., None] * token_scores).sum(dim=1), weights, token_scores, states, inputs)

    def _energies(self, states: Tensor) -> Tensor:
        if self.scorer is not None:
            energies: Tensor = self.scorer(states)[..., 0]
            return energies
        query: Tensor = self.get_parameter(QUERY)
        return states @ query / math.sqrt(states.shape[-1])
