"""Skip-gram, CBOW and fastText in large batches of sentences, on a GPU.

What word2vec does word by word is done for thousands of words at once: frequent words are dropped before windows are
cut, each centre has a window of random width, and its negatives are shared by the pairs of its window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext, TrainingLoop, mixed_seed
from everyword.learning.optimisers import RowOptimiser
from everyword.systems.skipgram.baselines.config import Method, Word2VecConfig
from everyword.systems.skipgram.network import products_with, skipgram_loss
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import NO_WORD, SORTED_TOGETHER, StepRandom, WordSampler, windows
from everyword.vectors.context_pair import ContextPair

LAST_RATE = 1e-4
"""The share of the learning rate that is left at the end."""
SHORTEST, LONGEST = 3, 6
"""Characters of the substrings of fastText."""
MOST_PARTS = 40
"""Substrings of one word; further ones are left out."""


class WordTable(nn.Module):
    """A vector per word as a centre, or per word and substring, and one per word as a context."""

    def __init__(self, words: int, dim: int, seed: int, parts: IndexArray | None = None) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        rows = words if parts is None else int(parts.max()) + 1
        self.own = nn.Parameter(torch.empty(rows, dim).uniform_(-0.5 / dim, 0.5 / dim, generator=generator))
        self.other = nn.Parameter(torch.zeros(words, dim))
        self.parts: Tensor | None
        self.register_buffer("parts", None if parts is None else torch.from_numpy(parts), persistent=False)

    def centres(self, rows: Tensor) -> Tensor:
        """Return the vectors of words as centres: with substrings, the mean of those and of the word's own."""
        if self.parts is None:
            return self.own.index_select(0, rows.flatten()).view(*rows.shape, -1)
        parts = self.parts.index_select(0, rows.flatten())
        there = (parts != NO_WORD).to(self.own.dtype)
        weights = there / there.sum(dim=1, keepdim=True)
        found = F.embedding_bag(parts.clamp(min=0), self.own, mode="sum", per_sample_weights=weights)
        return found.view(*rows.shape, -1)

    def contexts(self, rows: Tensor) -> Tensor:
        """Return the vectors of words as contexts."""
        return self.other.index_select(0, rows.flatten()).view(*rows.shape, -1)


class Corpus:
    """All sentences on the device, as rows of words."""

    def __init__(self, prepared: PreparedCorpus, device: torch.device) -> None:
        longest = max(int(part.words.max(initial=0)) for part in prepared.parts())
        blocks = []
        for part in prepared.parts():
            block = np.full((len(part), longest), NO_WORD, dtype=np.int32)
            block[np.arange(longest) < part.words[:, None]] = part.rows
            blocks.append(torch.from_numpy(block).to(device))
        self.rows = torch.cat(blocks)
        self.lengths = (self.rows != NO_WORD).sum(dim=1)

    def batches(self, size: int, seed: int) -> Iterator[Tensor]:
        """Yield sentences of like length (sentences, words), in random order."""
        device = self.rows.device
        order = torch.randperm(len(self.rows), generator=torch.Generator().manual_seed(seed)).to(device)
        found: list[Tensor] = []
        for pool in torch.split(order, size * SORTED_TOGETHER):
            found += torch.split(pool[self.lengths[pool].argsort(stable=True)], size)
        longest = torch.stack([self.lengths[some].amax() for some in found]).tolist()
        for number in np.random.default_rng(seed).permutation(len(found)).tolist():
            yield self.rows[found[number], : longest[number]].long()


def batched_pair(
    prepared: PreparedCorpus,
    method: Method,
    config: Word2VecConfig,
    *,
    device: str = "auto",
    show_progress: bool = False,
) -> ContextPair:
    """Train word and context vectors for exactly the words of a prepared corpus, on its sentences."""
    target, vocabulary = pick_device(device), prepared.vocabulary
    parts = substrings(vocabulary.words, config.parts) if method == "fasttext" else None
    network = WordTable(len(vocabulary.words), config.dim, config.seed, parts).to(target)
    corpus = Corpus(prepared, target)
    sampler = WordSampler(vocabulary.counts, power=0.75, subsample=config.subsample, device=target)
    steps = -(-len(corpus.rows) // config.batch)
    done = [0]

    def loss(rows: Tensor) -> Tensor:
        generator = torch.Generator(target).manual_seed(mixed_seed(config.seed, done[0]))
        done[0] += 1
        random = StepRandom(generator, len(rows), rows.shape[1])
        if sampler.drops:
            rows = without_dropped(rows, sampler.kept(rows, random))
        of_method = cbow_loss if method == "cbow" else window_loss
        return of_method(network, sampler, rows, random, config)

    TrainingLoop(
        network,
        RowOptimiser(network, config.rule, config.learning_rate, config.clip),
        epochs=config.epochs,
        batches=lambda epoch, _: corpus.batches(config.batch, mixed_seed(config.seed, epoch, 1)),
        loss=loss,
        steps=steps,
        learning_rate=lambda epoch, step, all_: (
            config.learning_rate * max(1 - (epoch * all_ + step) / (config.epochs * all_), LAST_RATE)
        ),
        run=RunContext(show_progress=show_progress),
    ).run()
    with torch.no_grad():
        everything = torch.arange(len(vocabulary.words), device=target)
        vectors = torch.cat([network.centres(some) for some in torch.split(everything, 8192)]).cpu().numpy()
    contexts = network.other.detach().cpu().numpy()
    return ContextPair(vocabulary.words, vectors, contexts, vocabulary.counts, None, "negative-sampling", 0.75)


def without_dropped(rows: Tensor, kept: Tensor) -> Tensor:
    """Close the gaps that dropped words leave, so that windows reach further.

    >>> without_dropped(torch.tensor([[4, 5, 6]]), torch.tensor([[False, True, True]])).tolist()
    [[5, 6, -1]]
    """
    kept = kept & (rows != NO_WORD)
    order = (~kept).to(torch.uint8).argsort(dim=1, stable=True)
    return rows.gather(1, order).masked_fill(~kept.gather(1, order), NO_WORD)


def _near(rows: Tensor, window: int, random: StepRandom) -> Tensor:
    """Return which words are in which window, of random width for each centre (sentences, words, words)."""
    width = (random.numbers(rows.shape[1]) * window).floor() + 1
    index = torch.arange(rows.shape[1], device=rows.device)
    distance = (index[:, None] - index).abs()
    there = rows != NO_WORD
    return (distance > 0) & (distance <= width) & there[:, None, :] & there[:, :, None]


def window_loss(
    network: WordTable, sampler: WordSampler, rows: Tensor, random: StepRandom, config: Word2VecConfig
) -> Tensor:
    """Return the loss of skip-gram and of fastText: a centre predicts each word of its window."""
    known = rows.clamp(min=0)
    mask = _near(rows, config.window, random).flatten(0, 1)
    negatives, allowed = sampler.negatives(windows(rows, config.window), config.negatives, random)
    own = network.centres(known)
    products = torch.bmm(own, network.contexts(known).transpose(1, 2)).flatten(0, 1)
    against = products_with(own.flatten(0, 1), network.contexts(negatives).flatten(0, 1))
    return skipgram_loss(products, mask, against, allowed.flatten(0, 1))


def cbow_loss(
    network: WordTable, sampler: WordSampler, rows: Tensor, random: StepRandom, config: Word2VecConfig
) -> Tensor:
    """Return the loss of CBOW: the mean of a window predicts its centre."""
    known = rows.clamp(min=0)
    near = _near(rows, config.window, random)
    negatives, allowed = sampler.negatives(rows[:, :, None], config.negatives, random)
    weights = near / near.sum(dim=2, keepdim=True).clamp(min=1)
    mixture = torch.bmm(weights.to(network.own.dtype), network.centres(known)).flatten(0, 1)
    products = (mixture * network.contexts(known).flatten(0, 1)).sum(dim=1, keepdim=True)
    against = products_with(mixture, network.contexts(negatives).flatten(0, 1))
    there = near.any(dim=2).flatten()[:, None]
    return skipgram_loss(products, there, against, allowed.flatten(0, 1))


def substrings(words: Sequence[str], most: int) -> IndexArray:
    """Return for each word its own row and those of its frequent substrings (words, rows), `NO_WORD` after the last.

    >>> substrings(["ab", "abc"], 3).tolist()
    [[0, 2, -1], [1, 2, 3]]
    """
    found = [_substrings(word) for word in words]
    counts = Counter(part for parts in found for part in parts)
    frequent = sorted(counts, key=lambda part: (-counts[part], part))[:most]
    rows = {part: len(words) + number for number, part in enumerate(frequent)}
    lists = [[row, *(rows[part] for part in parts if part in rows)] for row, parts in enumerate(found)]
    lists = [some[: MOST_PARTS + 1] for some in lists]
    matrix = np.full((len(words), max(map(len, lists))), NO_WORD, dtype=np.int64)
    for row, some in enumerate(lists):
        matrix[row, : len(some)] = some
    return matrix


def _substrings(word: str) -> list[str]:
    text = f"<{word}>"
    sizes = range(SHORTEST, LONGEST + 1)
    return list(dict.fromkeys(text[at : at + size] for size in sizes for at in range(len(text) - size + 1)))
