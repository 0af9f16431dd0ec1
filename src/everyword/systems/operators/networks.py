"""Networks that read texts: word operators and the baselines of their paper.

Each gives the mean of a text and, if it is a Gaussian, the logarithm of its standard deviation; and a penalty over the
words that it read. `similarity` compares them row by row, `most_similar` searches among many.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from everyword.sentences.gaussian import LEAST_SCALE
from everyword.systems.operators.config import OperatorsConfig

ROWS_AT_ONCE = 16
"""Texts that are compared with all others at a time: the differences in all dimensions stay in the cache."""


class Encoded(NamedTuple):
    """Texts that a network has read."""

    means: Tensor
    log_deviations: Tensor | None
    """None for a vector without a variance."""
    penalty: Tensor
    """The sum over all words of how far they are from the prior."""

    def rows(self, rows: Tensor | slice) -> Encoded:
        """Return some of the texts."""
        deviations = None if self.log_deviations is None else self.log_deviations[rows]
        return Encoded(self.means[rows], deviations, self.penalty)


class TextNetwork(nn.Module, ABC):
    """Reads texts given as rows of words."""

    @abstractmethod
    def forward(self, texts: PackedSequence) -> Encoded:
        """Return what is known of each text."""


class OperatorNetwork(TextNetwork):
    """A scale and a shift per word, z ← A * (z + B); the last row is that of unknown words."""

    def __init__(self, words: int, dim: int) -> None:
        super().__init__()
        self.scale = nn.Embedding(words + 1, dim, sparse=True)
        self.shift = nn.Embedding(words + 1, dim, sparse=True)
        # Scales near 1: with a deviation of .1, as in other places, 50 dimensions of noise would outweigh what a word
        # learns about its entropy from a few sentences.
        nn.init.normal_(self.scale.weight, 1.0, 0.01)
        nn.init.normal_(self.shift.weight, 0.0, 0.1)

    def operators(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return scales and shifts of words."""
        return self.scale(rows), self.shift(rows)

    def forward(self, texts: PackedSequence) -> Encoded:
        """Apply the operators of words one after the other."""
        scale, shift = self.operators(texts.data)
        size = scale.abs().clamp(min=LEAST_SCALE).log()
        steps: list[int] = texts.batch_sizes.tolist()
        parts = [torch.split(values, steps) for values in (scale, shift, size)]
        mean = scale.new_zeros(steps[0], scale.shape[1])
        deviation = torch.zeros_like(mean)
        for a, b, log_a in zip(*parts, strict=True):
            # Texts are sorted by length: those that are over come last.
            active = len(a)
            mean = torch.cat([a * (mean[:active] + b), mean[active:]])
            deviation = torch.cat([deviation[:active] + log_a, deviation[active:]])
        divergence = 0.5 * (scale.square() * (1 + shift.square()) - 1 - 2 * size).sum()
        order = texts.unsorted_indices
        return Encoded(mean[order], deviation[order], divergence)


class MappedOperatorNetwork(OperatorNetwork):
    """Operators that are linear maps of given word vectors: words that paraphrases lack have one too."""

    def __init__(self, vectors: Tensor, dim: int) -> None:
        super().__init__(0, dim)
        # The last row is that of unknown words: no vector, only the bias.
        self.register_buffer("vectors", torch.cat([vectors, vectors.new_zeros(1, vectors.shape[1])]), persistent=False)
        self.vectors: Tensor
        self.log_scale_map, self.shift_map = (nn.Linear(vectors.shape[1], dim) for _ in range(2))
        nn.init.zeros_(self.log_scale_map.weight)
        nn.init.zeros_(self.log_scale_map.bias)
        nn.init.normal_(self.shift_map.weight, 0.0, 0.3)  # vectors have length 1: shifts of about 0.3
        del self.scale, self.shift

    def operators(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return scales, which are positive here, and shifts of words."""
        vectors = self.vectors[rows]
        return self.log_scale_map(vectors).exp(), self.shift_map(vectors)


class AverageNetwork(TextNetwork):
    """The mean of word vectors."""

    def __init__(self, words: int, dim: int) -> None:
        super().__init__()
        self.table = nn.Embedding(words + 1, dim, sparse=True)
        nn.init.normal_(self.table.weight, 0.0, 0.1)

    def forward(self, texts: PackedSequence) -> Encoded:
        """Return the means of word vectors."""
        vectors = self.table(texts.data)
        return Encoded(mean_of_steps(texts._replace(data=vectors)), None, vectors.square().sum())


class LstmNetwork(TextNetwork):
    """The mean of the states of an LSTM, or two maps of it that are the mean and variance of a Gaussian."""

    def __init__(self, words: int, dim: int, hidden: int, *, gaussian: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(words + 1, dim, sparse=True)
        nn.init.normal_(self.table.weight, 0.0, 0.1)
        self.lstm = nn.LSTM(dim, hidden)
        self.maps = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(2 if gaussian else 0))

    def forward(self, texts: PackedSequence) -> Encoded:
        """Return the means of states, or the Gaussians made of them."""
        vectors = self.table(texts.data)
        states, _ = self.lstm(texts._replace(data=vectors))
        mean, penalty = mean_of_steps(states), vectors.square().sum()
        if not len(self.maps):
            return Encoded(mean, None, penalty)
        to_mean, to_deviation = self.maps
        return Encoded(to_mean(mean), to_deviation(mean), penalty)


def mean_of_steps(packed: PackedSequence) -> Tensor:
    """Return the mean over the words of each text, in the order of the texts."""
    padded, lengths = pad_packed_sequence(packed)  # zeros behind the last word
    return padded.sum(dim=0) / lengths[:, None].to(padded)


def build_network(config: OperatorsConfig, words: int, vectors: Tensor | None = None) -> TextNetwork:
    """Make the network of a method with fresh weights, which depend on the seed only."""
    torch.manual_seed(config.seed)
    if config.method == "operators":
        return OperatorNetwork(words, config.dim)
    if config.method == "mapped":
        assert vectors is not None
        return MappedOperatorNetwork(vectors, config.dim)
    if config.method == "average":
        return AverageNetwork(words, config.dim)
    return LstmNetwork(words, config.dim, config.hidden, gaussian=config.is_gaussian)


def similarity(first: Encoded, second: Encoded) -> Tensor:
    """Return the log expected likelihood of Gaussians, or the cosine of vectors, row by row."""
    if first.log_deviations is None or second.log_deviations is None:
        return F.cosine_similarity(first.means, second.means)
    variance = (2 * first.log_deviations).exp() + (2 * second.log_deviations).exp()
    distance = (first.means - second.means).square() / variance
    return -0.5 * (variance.log() + distance + math.log(2 * math.pi)).sum(dim=-1)


@torch.no_grad()
def most_similar(texts: Encoded, content: Tensor) -> Tensor:
    """Return for each text the most similar one of other pairs.

    Args:
        texts: What a network has read; texts 2i and 2i + 1 are a pair.
        content: A number per text, the same for texts of the same words: a text is no negative of itself or its partner
            because another pair contains it too.
    """
    count = len(texts.means)
    best = torch.empty(count, dtype=torch.int64, device=texts.means.device)
    units = F.normalize(texts.means) if texts.log_deviations is None else None
    variances = None if texts.log_deviations is None else (2 * texts.log_deviations).exp()
    for start in range(0, count, ROWS_AT_ONCE):
        own = torch.arange(start, min(start + ROWS_AT_ONCE, count), device=best.device)
        if units is not None:
            scores = units[own] @ units.T
        elif variances is not None:
            sums = variances[own, None] + variances
            distances = (texts.means[own, None] - texts.means).square_().div_(sums)
            scores = -distances.add_(sums.log_()).sum(dim=-1)
        same = (content[own, None] == content) | (content[own ^ 1, None] == content)
        scores[same] = -math.inf
        best[own] = scores.argmax(dim=1)
    return best


def margin_loss(first: Encoded, second: Encoded, wrong: tuple[Encoded, Encoded], margin: float) -> Tensor:
    """Return how much less similar pairs are than each text and its negative, plus the margin: the mean over pairs."""
    right = similarity(first, second)
    losses = [
        (margin - right + similarity(text, negative)).clamp(min=0)
        for text, negative in zip((first, second), wrong, strict=True)
    ]
    return (losses[0] + losses[1]).mean()
