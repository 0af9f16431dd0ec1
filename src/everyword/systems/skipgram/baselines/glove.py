"""GloVe: two vectors and two biases per word, fitted to the logarithms of co-occurrence counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowOptimiser
from everyword.systems.skipgram.baselines.config import GloveConfig
from everyword.systems.skipgram.network import weighted_sums
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.vectors.context_pair import ContextPair
from everyword.vectors.table import VectorTable

ROWS_AT_ONCE = 2048
SortedCounts = tuple[IndexArray, AnyArray]
"""Keys in order, each once, and their counts."""


class Counts:
    """Sums sorted counts; the memory is that of the different keys, a few times."""

    def __init__(self) -> None:
        self._runs: list[SortedCounts] = []

    def add(self, keys: IndexArray, counts: AnyArray) -> None:
        """Add sorted counts."""
        self._runs.append((keys, counts))
        # Runs of like size are merged, so that none is copied more than a few times.
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._runs[-2:] = [_merged(self._runs[-2:])]

    def total(self) -> SortedCounts:
        """Return all keys in order, and their sums."""
        return _merged(self._runs)


def _merged(runs: list[SortedCounts]) -> SortedCounts:
    if len(runs) == 1:
        return runs[0]
    keys, counts = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[starts], np.add.reduceat(counts, starts)


@dataclass(frozen=True)
class Pairs:
    """Words that occur together, each pair once with the smaller row first, and their weighted counts."""

    first: IndexArray
    second: IndexArray
    counts: FloatArray


def count_pairs(prepared: PreparedCorpus, window: int, device: torch.device | None = None) -> Pairs:
    """Count all pairs of words within a window of a sentence; one at distance d counts 1 / d, as in GloVe.

    The memory is that of the different pairs and of one part of the corpus; a GPU has room for all pairs at once.
    """
    words = len(prepared.vocabulary.words)
    if device is not None and device.type == "cuda":
        return count_on(device, prepared, window, words)
    total = Counts()
    for part in prepared.parts():
        for found in _pairs_by_distance(part, window, words):
            total.add(*found)
    keys, counts = total.total()
    return Pairs(keys // words, keys % words, counts)


def count_on(device: torch.device, prepared: PreparedCorpus, window: int, words: int) -> Pairs:
    """Count pairs by sorting them on a device, one distance after the other."""
    parts = list(prepared.parts())
    rows, lengths = (
        torch.from_numpy(np.concatenate([getattr(part, name) for part in parts]).astype(np.int64)).to(device)
        for name in ("rows", "words")
    )
    sentence = torch.repeat_interleave(torch.arange(len(lengths), device=device), lengths)
    keys, counts = rows.new_zeros(0), torch.zeros(0, device=device)
    for distance in range(1, window + 1):
        inside = sentence[distance:] == sentence[:-distance]
        one, other = rows[:-distance][inside], rows[distance:][inside]
        found, seen = torch.unique(torch.minimum(one, other) * words + torch.maximum(one, other), return_counts=True)
        both, places = torch.unique(torch.cat([keys, found]), return_inverse=True)
        weights = torch.cat([counts, seen.float() / distance])
        keys, counts = both, torch.zeros(len(both), device=device).index_add_(0, places, weights)
    return Pairs((keys // words).cpu().numpy(), (keys % words).cpu().numpy(), counts.cpu().numpy())


def _pairs_by_distance(part: Part, window: int, words: int) -> Iterator[tuple[IndexArray, FloatArray]]:
    rows = part.rows.astype(np.int64)
    sentence = np.repeat(np.arange(len(part)), part.words)
    for distance in range(1, window + 1):
        inside = sentence[distance:] == sentence[:-distance]
        one, other = rows[:-distance][inside], rows[distance:][inside]
        keys, counts = np.unique(np.minimum(one, other) * words + np.maximum(one, other), return_counts=True)
        yield keys, (counts / distance).astype(np.float32)


class BiasedProducts(torch.autograd.Function):
    """Products of rows of two tables, plus their biases in the last column.

    On a CPU a few rows are read at a time, and gradients are summed without copies of rows: copies take longest.
    """

    @staticmethod
    def forward(ctx: Any, own: Tensor, other: Tensor, first: Tensor, second: Tensor) -> Tensor:
        ctx.save_for_backward(own, other, first, second)
        size = len(first) if own.is_cuda else ROWS_AT_ONCE
        pairs = (
            (own[one], other[two]) for one, two in zip(torch.split(first, size), torch.split(second, size), strict=True)
        )
        return torch.cat(
            [(one[:, :-1] * two[:, :-1]).sum(dim=1) + one[:, -1] + two[:, -1] for one, two in pairs],
        )

    @staticmethod
    def backward(ctx: Any, gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        own, other, first, second = ctx.saved_tensors
        to_own = weighted_sums(first, len(own), second, other, gradients)
        to_other = weighted_sums(second, len(other), first, own, gradients)
        for table, rows in ((to_own, first), (to_other, second)):
            table[:, -1] = torch.zeros_like(table[:, -1]).index_add_(0, rows, gradients)
        return to_own, to_other, None, None


class GloveNetwork(nn.Module):
    """A vector per word as a centre and one as a context, each with the bias in its last column."""

    def __init__(self, words: int, dim: int, seed: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        spread = 0.5 / dim
        self.own = nn.Parameter(torch.empty(words, dim + 1).uniform_(-spread, spread, generator=generator))
        self.other = nn.Parameter(torch.empty(words, dim + 1).uniform_(-spread, spread, generator=generator))

    def differences(self, first: Tensor, second: Tensor, logarithms: Tensor) -> Tensor:
        """Return the differences of products with biases from the logarithms."""
        products: Tensor = BiasedProducts.apply(self.own, self.other, first, second)  # type: ignore[no-untyped-call]
        return products - logarithms


def glove_table(
    prepared: PreparedCorpus, config: GloveConfig, *, device: str = "auto", show_progress: bool = False
) -> VectorTable:
    """Train GloVe and return the sum of the two vectors of each word, as published."""
    pair = glove_pair(prepared, config, device=device, show_progress=show_progress)
    return VectorTable(pair.words, pair.vectors + pair.contexts)


def glove_pair(
    prepared: PreparedCorpus, config: GloveConfig, *, device: str = "auto", show_progress: bool = False
) -> ContextPair:
    """Train GloVe and return both vectors of each word, with the biases of the contexts."""
    target = pick_device(device)
    pairs = count_pairs(prepared, config.window, target)
    network = GloveNetwork(len(prepared.vocabulary.words), config.dim, config.seed).to(target)
    rng = np.random.default_rng(config.seed)
    first, second, counts = (
        torch.from_numpy(column).to(target) for column in (pairs.first, pairs.second, pairs.counts)
    )

    def batches(_epoch: int, _first_step: int) -> Sequence[Tensor]:
        if target.type == "cpu":
            return torch.split(torch.from_numpy(rng.permutation(len(counts))), config.batch)
        generator = torch.Generator(target).manual_seed(int(rng.integers(1 << 31)))
        return torch.split(torch.randperm(len(counts), generator=generator, device=target), config.batch)

    TrainingLoop(
        network,
        RowOptimiser(network, "adagrad", config.learning_rate),
        epochs=config.epochs,
        batches=batches,
        loss=lambda chosen: glove_loss(network, first[chosen], second[chosen], counts[chosen], config),
        run=RunContext(show_progress=show_progress),
    ).run()
    own, other = (matrix.detach().cpu().numpy() for matrix in (network.own, network.other))
    vectors, contexts, biases = (np.ascontiguousarray(part) for part in (own[:, :-1], other[:, :-1], other[:, -1]))
    vocabulary = prepared.vocabulary
    return ContextPair(vocabulary.words, vectors, contexts, vocabulary.counts, biases, "softmax")


def glove_loss(network: GloveNetwork, first: Tensor, second: Tensor, counts: Tensor, config: GloveConfig) -> Tensor:
    """Return half the sum of the weighted squared differences; each pair counts in both directions."""
    weights = (counts / config.most).clamp(max=1.0) ** config.power
    both = network.differences(torch.cat([first, second]), torch.cat([second, first]), counts.log().repeat(2))
    return (weights.repeat(2) * both**2).sum() / 2
