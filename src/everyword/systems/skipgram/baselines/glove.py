"""GloVe: two vectors and two biases per word, fitted to the logarithms of co-occurrence counts."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowOptimiser
from everyword.systems.skipgram.baselines.config import GloveConfig
from everyword.systems.skipgram.baselines.cooccurrences import Pairs, count_pairs
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.vectors.table import VectorTable


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
        own, other = self.own.index_select(0, first), self.other.index_select(0, second)
        products = (own[:, :-1] * other[:, :-1]).sum(dim=1)
        return products + own[:, -1] + other[:, -1] - logarithms


def glove_table(
    prepared: PreparedCorpus, config: GloveConfig, *, device: str = "auto", show_progress: bool = False
) -> VectorTable:
    """Train GloVe and return the sum of the two vectors of each word, as published."""
    target, pairs = pick_device(device), count_pairs(prepared, config.window)
    network = GloveNetwork(len(prepared.vocabulary.words), config.dim, config.seed).to(target)
    rng = np.random.default_rng(config.seed)

    def batches(_epoch: int, _first_step: int) -> list[np.ndarray]:
        order = rng.permutation(len(pairs.counts))
        return [order[start : start + config.batch] for start in range(0, len(order), config.batch)]

    TrainingLoop(
        network,
        RowOptimiser(network, "adagrad", config.learning_rate),
        epochs=config.epochs,
        batches=batches,
        loss=lambda chosen: glove_loss(network, pairs, chosen, config),
        run=RunContext(show_progress=show_progress),
    ).run()
    matrix = (network.own + network.other)[:, :-1].detach().cpu().numpy()
    return VectorTable(prepared.vocabulary.words, matrix)


def glove_loss(network: GloveNetwork, pairs: Pairs, chosen: np.ndarray, config: GloveConfig) -> Tensor:
    """Return half the sum of the weighted squared differences; each pair counts in both directions."""
    target = network.own.device
    first, second = (torch.from_numpy(rows[chosen]).to(target) for rows in (pairs.first, pairs.second))
    counts = torch.from_numpy(pairs.counts[chosen]).to(target)
    weights = (counts / config.most).clamp(max=1.0) ** config.power
    both = [network.differences(one, other, counts.log()) for one, other in ((first, second), (second, first))]
    return sum((weights * differences**2).sum() for differences in both) / 2  # type: ignore[return-value]
