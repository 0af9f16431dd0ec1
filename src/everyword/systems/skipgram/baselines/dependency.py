"""Skip-gram whose contexts are not the words around a word but those that syntax joins it to, with the relation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from everyword.extras import require
from everyword.learning.device import pick_device
from everyword.systems.skipgram.baselines.config import DependencyConfig
from everyword.systems.skipgram.baselines.syntax_pairs import SyntaxContexts, SyntaxPairs, frequent_contexts
from everyword.systems.skipgram.network import look_up, products_with, skipgram_loss
from everyword.systems.skipgram.optimisers import RowOptimiser
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import StepRandom, WordSampler
from everyword.systems.skipgram.training import LAST_RATE
from everyword.vectors.table import VectorTable


class PairNetwork(nn.Module):
    """A vector for each word and for each context, as in word2vec; those of contexts begin at zero."""

    def __init__(self, words: int, contexts: int, dim: int, *, seed: int, sparse: bool) -> None:
        super().__init__()
        spread = 1 / (2 * dim)
        drawn = torch.empty(words, dim).uniform_(-spread, spread, generator=torch.Generator().manual_seed(seed))
        self.words = nn.Embedding(words, dim, _weight=drawn, sparse=sparse)
        self.contexts = nn.Embedding(contexts, dim, _weight=torch.zeros(contexts, dim), sparse=sparse)

    def loss(self, words: Tensor, contexts: Tensor, negatives: Tensor, allowed: Tensor) -> Tensor:
        """The sum over pairs; (pairs) rows of words and contexts, (pairs, n) of drawn ones and which of them count."""
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
    """The vectors of the words of a prepared corpus, learnt from the pairs of its syntax.

    Memory is that of the two tables, of the different contexts and of one part. A word that syntax joins to nothing
    keeps the vector it began with, which is next to nothing.
    """
    target, contexts = pick_device(device), frequent_contexts(pairs, config.context_count)
    words, total = len(prepared.vocabulary.words), config.epochs * int(contexts.counts.sum())
    sparse = target.type == "cpu"  # for the reason that `ContextTable` tells
    network = PairNetwork(words, len(contexts.numbers), config.dim, seed=config.seed, sparse=sparse).to(target)
    rule = RowOptimiser(network, config.rule, config.clip)
    sampler = WordSampler(contexts.counts, power=config.power, subsample=0, device=target)
    generator = torch.Generator(target).manual_seed(config.seed)
    done = 0
    with require("tqdm", "The progress bar").tqdm(total=total, disable=not show_progress, unit=" pairs") as bar:
        for batch in _batches(pairs, contexts, config):
            rows, met = (torch.from_numpy(side).to(target) for side in batch)
            random = StepRandom(generator, len(rows), 1)
            negatives, allowed = sampler.negatives(met[:, None, None], config.negatives, random)
            network.loss(rows, met, negatives[:, 0], allowed[:, 0]).backward()  # type: ignore[no-untyped-call]
            rule.step(config.rate * max(1 - done / total, LAST_RATE))
            done += len(rows)
            bar.update(len(rows))
    return VectorTable(prepared.vocabulary.words, network.words.weight.detach().cpu().numpy())


def _batches(
    pairs: SyntaxPairs, contexts: SyntaxContexts, config: DependencyConfig
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Words and contexts that get vectors, shuffled: the parts of an epoch, and the pairs of a part."""
    for epoch in range(config.epochs):
        rng = np.random.default_rng([config.seed, epoch])
        for number in rng.permutation(len(pairs.sizes)).tolist():
            part = pairs.part(number)
            rows, known = contexts.rows(part.contexts)
            order = rng.permutation(np.flatnonzero(known))
            for start in range(0, len(order), config.batch):
                chosen = order[start : start + config.batch]
                yield part.words[chosen].astype(np.int64), rows[chosen]
