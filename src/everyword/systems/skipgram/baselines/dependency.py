"""Dependency-based skip-gram: the contexts of a word are the words that syntax joins to it, with the relation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowOptimiser
from everyword.systems.skipgram.baselines.config import DependencyConfig
from everyword.systems.skipgram.baselines.syntax_pairs import SyntaxContexts, SyntaxPairs, frequent_contexts
from everyword.systems.skipgram.network import look_up, products_with, skipgram_loss
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import StepRandom, WordSampler
from everyword.systems.skipgram.train import LAST_RATE
from everyword.vectors.table import VectorTable


class PairNetwork(nn.Module):
    """A vector per word and per context, as in word2vec; those of contexts begin at zero."""

    def __init__(self, words: int, contexts: int, dim: int, *, seed: int, sparse: bool) -> None:
        super().__init__()
        spread = 1 / (2 * dim)
        drawn = torch.empty(words, dim).uniform_(-spread, spread, generator=torch.Generator().manual_seed(seed))
        self.words = nn.Embedding(words, dim, _weight=drawn, sparse=sparse)
        self.contexts = nn.Embedding(contexts, dim, _weight=torch.zeros(contexts, dim), sparse=sparse)

    def loss(self, words: Tensor, contexts: Tensor, negatives: Tensor, allowed: Tensor) -> Tensor:
        """Return the loss summed over pairs, given rows (pairs,) of words and contexts and (pairs, n) of negatives."""
        [own] = look_up(self.words, words)
        met, drawn = look_up(self.contexts, contexts[:, None], negatives)
        products = products_with(own, met)
        mask = torch.ones_like(products, dtype=torch.bool)
        return skipgram_loss(products, mask, products_with(own, drawn), allowed, "each")


def dependency_table(
    prepared: PreparedCorpus,
    pairs: SyntaxPairs,
    config: DependencyConfig,
    *,
    device: str = "auto",
    show_progress: bool = False,
) -> VectorTable:
    """Train vectors for the words of a prepared corpus on the pairs of its syntax.

    The memory is that of the two tables, of the different contexts and of one part. A word that syntax joins to nothing
    keeps its initial vector, which is close to zero.
    """
    target, contexts = pick_device(device), frequent_contexts(pairs, config.context_count)
    words, pairs_per_epoch = len(prepared.vocabulary.words), int(contexts.counts.sum())
    sparse = target.type == "cpu"  # see `ContextTable`
    network = PairNetwork(words, len(contexts.numbers), config.dim, seed=config.seed, sparse=sparse).to(target)
    sampler = WordSampler(contexts.counts, power=config.power, subsample=0, device=target)
    generator = torch.Generator(target).manual_seed(config.seed)
    seen = 0

    def loss(batch: tuple[np.ndarray, np.ndarray]) -> Tensor:
        nonlocal seen
        seen += len(batch[0])
        rows, met = (torch.from_numpy(side).to(target) for side in batch)
        random = StepRandom(generator, len(rows), 1)
        negatives, allowed = sampler.negatives(met[:, None, None], config.negatives, random)
        return network.loss(rows, met, negatives[:, 0], allowed[:, 0])

    TrainingLoop(
        network,
        RowOptimiser(network, config.rule, config.rate, config.clip),
        epochs=config.epochs,
        batches=lambda epoch, _first_step: _batches(pairs, contexts, config, epoch),
        steps=-(-pairs_per_epoch // config.batch),  # or a few more: the last batch of each part is a smaller one
        loss=loss,
        learning_rate=lambda *_: config.rate * max(1 - seen / (config.epochs * pairs_per_epoch), LAST_RATE),
        run=RunContext(show_progress=show_progress),
    ).run()
    return VectorTable(prepared.vocabulary.words, network.words.weight.detach().cpu().numpy())


def _batches(
    pairs: SyntaxPairs, contexts: SyntaxContexts, config: DependencyConfig, epoch: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield words and contexts that have vectors: the parts of an epoch, and the pairs of a part, are shuffled."""
    rng = np.random.default_rng([config.seed, epoch])
    for number in rng.permutation(len(pairs.sizes)).tolist():
        part = pairs.part(number)
        rows, known = contexts.rows(part.contexts)
        order = rng.permutation(np.flatnonzero(known))
        for start in range(0, len(order), config.batch):
            chosen = order[start : start + config.batch]
            yield part.words[chosen].astype(np.int64), rows[chosen]
