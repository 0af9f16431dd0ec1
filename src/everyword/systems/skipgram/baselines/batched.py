"""Skip-gram, CBOW and fastText in batches, on a GPU.

What word2vec does word by word is done for a batch of words at once: frequent words are dropped before windows are cut,
each centre has a window of random width, and all centres of a batch share their negatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.learning.device import pick_device
from everyword.learning.loop import mixed_seed
from everyword.systems.skipgram.baselines.config import Method, Word2VecConfig
from everyword.systems.skipgram.cached import LAST_RATE, STEPS_AT_ONCE, RowMover, recorded
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import NO_WORD, WordSampler, kept_share
from everyword.vectors.context_pair import ContextPair

POWER = 0.75
NO_SENTENCE = -1
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
            return self.own[rows]
        parts, weights = self.parts_of(rows)
        return torch.bmm(weights[:, None], self.own[parts]).squeeze(1)

    def parts_of(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows of a word and its substrings, and their weights, which are 0 where there are no more."""
        assert self.parts is not None
        parts = self.parts[rows]
        there = (parts != NO_WORD).to(self.own.dtype)
        return torch.where(parts == NO_WORD, parts[:, :1], parts), there / there.sum(dim=1, keepdim=True)


class WordTrainer:
    """Trains the vectors of one of the methods."""

    def __init__(
        self, network: WordTable, corpus: Corpus, counts: IndexArray, method: Method, config: Word2VecConfig
    ) -> None:
        self.network, self.corpus, self.method, self.config = network, corpus, method, config
        self.device = network.other.device
        numbers = torch.from_numpy(counts).double()
        self.sampler = WordSampler(counts, power=POWER, subsample=0, device=self.device)
        self._kept = kept_share(numbers / numbers.sum(), config.subsample).float().to(self.device)
        around = range(1, config.window + 1)
        self._offsets = torch.tensor([*(-one for one in around), *around], device=self.device)
        self._rows, self._sentence = corpus.rows.clone(), corpus.sentence.clone()
        self._own, self._other = (
            RowMover(table.data, config.rule, config.clip) for table in (network.own, network.other)
        )
        self.size = min(config.batch, len(corpus.rows))
        self._recorded = recorded(
            self.step,
            torch.zeros(self.size, dtype=torch.int64, device=self.device),
            torch.zeros(config.shared_negatives, dtype=torch.int64, device=self.device),
            torch.zeros(self.size, device=self.device),
        )

    @torch.no_grad()
    def epoch(self, number: int) -> None:
        """Drop frequent words, close the gaps that they leave, and train on all that is left in random order."""
        config = self.config
        generator = torch.Generator(self.device).manual_seed(mixed_seed(config.seed, number))
        left = self.drop(generator)
        order = torch.randperm(left, generator=generator, device=self.device)
        steps = left // self.size
        for first in range(0, steps, STEPS_AT_ONCE):
            some = min(STEPS_AT_ONCE, steps - first)
            shape = (some, config.shared_negatives)
            drawn = torch.rand(shape, generator=generator, device=self.device, dtype=torch.float64)
            negatives = self.sampler.words(drawn)
            widths = torch.rand((some, self.size), generator=generator, device=self.device)
            done = [(number + (first + index) / steps) / config.epochs for index in range(some)]
            centres = order[first * self.size : (first + some) * self.size].view(some, self.size)
            self._recorded(
                centres, negatives, widths, [config.learning_rate * max(1 - share, LAST_RATE) for share in done]
            )

    def drop(self, generator: torch.Generator) -> int:
        """Draw which occurrences of frequent words are left, and return how many words there are then."""
        rows, sentence = self.corpus.rows, self.corpus.sentence
        if not self.config.subsample:
            return len(rows)
        kept = torch.rand(len(rows), generator=generator, device=self.device) < self._kept[rows]
        left = int(kept.sum())
        self._rows[:left], self._sentence[:left] = rows[kept], sentence[kept]
        self._sentence[left:] = NO_SENTENCE
        return left

    def step(self, centres: Tensor, negatives: Tensor, widths: Tensor, rate: Tensor) -> None:
        """Move all vectors against the gradient of the loss, summed over a batch."""
        raw = centres[:, None] + self._offsets
        places = raw.clamp(min=0, max=len(self._rows) - 1)
        near = self._offsets.abs() <= (widths * self.config.window).floor()[:, None] + 1
        inside = near & (raw == places) & (self._sentence[places] == self._sentence[centres][:, None])
        mask = inside.to(self.network.other.dtype)
        of_method = self._cbow if self.method == "cbow" else self._skip_gram
        of_method(self._rows[centres], self._rows[places], mask, negatives, rate)

    def _skip_gram(self, centres: Tensor, context: Tensor, mask: Tensor, negatives: Tensor, rate: Tensor) -> None:
        """A centre predicts each word of its window."""
        network, share = self.network, self.config.negatives / len(negatives)
        own, words, drawn = network.centres(centres), network.other[context], network.other[negatives]
        pull = -torch.sigmoid(-torch.bmm(words, own[:, :, None]).squeeze(2)) * mask
        push = torch.sigmoid(own @ drawn.T) * (mask.sum(dim=1) * share)[:, None]
        to_own = torch.bmm(pull[:, None, :], words).squeeze(1) + push @ drawn
        to_context = (pull[:, :, None] * own[:, None, :]).flatten(0, 1)
        self._other.move(torch.cat([context.flatten(), negatives]), torch.cat([to_context, push.T @ own]), rate)
        if network.parts is None:
            self._own.move(centres, to_own, rate)
            return
        parts, weights = network.parts_of(centres)
        self._own.move(parts.flatten(), (weights[:, :, None] * to_own[:, None, :]).flatten(0, 1), rate)

    def _cbow(self, centres: Tensor, context: Tensor, mask: Tensor, negatives: Tensor, rate: Tensor) -> None:
        """The mean of a window predicts its centre; as in word2vec, each word of the window gets the whole gradient."""
        network, share = self.network, self.config.negatives / len(negatives)
        there = mask.amax(dim=1)
        mixture = torch.bmm((mask / mask.sum(dim=1, keepdim=True).clamp(min=1))[:, None], network.own[context]).squeeze(
            1
        )
        words, drawn = network.other[centres], network.other[negatives]
        pull = -torch.sigmoid(-(words * mixture).sum(dim=1)) * there
        push = torch.sigmoid(mixture @ drawn.T) * (there * share)[:, None]
        to_mixture = pull[:, None] * words + push @ drawn
        moved = torch.cat([pull[:, None] * mixture, push.T @ mixture])
        self._other.move(torch.cat([centres, negatives]), moved, rate)
        self._own.move(context.flatten(), (mask[:, :, None] * to_mixture[:, None, :]).flatten(0, 1), rate)


@dataclass(frozen=True)
class Corpus:
    """All words of a corpus, one after the other, on the device."""

    rows: Tensor
    sentence: Tensor

    @classmethod
    def of(cls, prepared: PreparedCorpus, device: torch.device) -> Corpus:
        """Read all parts."""
        parts = list(prepared.parts())
        rows, lengths = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "words"))
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        return cls(*(torch.from_numpy(array.astype(np.int64)).to(device) for array in (rows, sentence)))


def batched_pair(
    prepared: PreparedCorpus, method: Method, config: Word2VecConfig, *, device: str = "auto"
) -> ContextPair:
    """Train word and context vectors for exactly the words of a prepared corpus, on its sentences."""
    target, vocabulary = pick_device(device), prepared.vocabulary
    parts = substrings(vocabulary.words, config.parts) if method == "fasttext" else None
    network = WordTable(len(vocabulary.words), config.dim, config.seed, parts).to(target).requires_grad_(False)
    trainer = WordTrainer(network, Corpus.of(prepared, target), vocabulary.counts, method, config)
    for number in range(config.epochs):
        trainer.epoch(number)
    everything = torch.arange(len(vocabulary.words), device=target)
    vectors = torch.cat([network.centres(some) for some in torch.split(everything, 8192)]).cpu().numpy()
    contexts = network.other.cpu().numpy()
    return ContextPair(vocabulary.words, vectors, contexts, vocabulary.counts, None, "negative-sampling", POWER)


def substrings(words: Sequence[str], most: int) -> IndexArray:
    """Return for each word its own row and those of its frequent substrings (words, rows), `NO_WORD` after the last.

    >>> substrings(["ab", "abd"], 1).tolist()
    [[0, 2], [1, 2]]
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
