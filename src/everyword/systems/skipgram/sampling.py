"""Random choices of a step: negative samples, and the context words that subsampling drops."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from everyword.arrays import IndexArray
from everyword.systems.skipgram.batches import NO_WORD

ROUNDS = 4
"""How often a negative that stands in the context is sampled again; if it still does then, it does not count."""


@dataclass(frozen=True)
class StepRandom:
    """Random numbers of one step, drawn for the whole batch; a process takes those of its own sentences.

    So several processes draw the same numbers as one.
    """

    generator: torch.Generator
    sentences: int
    """In the whole batch."""
    longest: int
    """Maximum number of words per sentence."""
    rank: int = 0
    count: int = 1

    def numbers(self, words: int, each: int = 1) -> Tensor:
        """Return numbers between 0 and 1 (sentences, words, each) for the words of this process's sentences."""
        shape = (self.sentences, self.longest, each)
        drawn = torch.rand(shape, generator=self.generator, device=self.generator.device, dtype=torch.float64)
        return drawn[self.rank :: self.count, :words]


class WordSampler:
    """Samples words by their counts, on any device."""

    def __init__(self, counts: IndexArray, *, power: float, subsample: float, device: torch.device) -> None:
        numbers = torch.from_numpy(counts).double()
        weights = numbers**power
        self._cumulative = (weights.cumsum(0) / weights.sum()).to(device)
        self._kept = kept_share(numbers / numbers.sum(), subsample).to(device)
        self.drops = subsample > 0
        """Whether context words are dropped at all."""

    def words(self, numbers: Tensor) -> Tensor:
        """Return the row of a word for each number between 0 and 1."""
        return torch.searchsorted(self._cumulative, numbers.contiguous()).clamp(max=len(self._cumulative) - 1)

    def negatives(self, context: Tensor, count: int, random: StepRandom) -> tuple[Tensor, Tensor]:
        """Return negative samples per word, and which of them are not in its context (sentences, words, count)."""
        words = context.shape[1]
        drawn = self.words(random.numbers(words, count))
        for _ in range(ROUNDS):
            # All are drawn again and few are taken: to ask which ones are needed would stop a GPU.
            again = self.words(random.numbers(words, count))
            drawn = torch.where(_is_in(drawn, context), again, drawn)
        return drawn, ~_is_in(drawn, context)

    def kept(self, rows: Tensor, random: StepRandom) -> Tensor:
        """Return which words subsampling keeps as context, drawn for each occurrence."""
        return random.numbers(rows.shape[1]).squeeze(2) < self._kept[rows.clamp(min=0)]


def kept_share(frequencies: Tensor, threshold: float) -> Tensor:
    """Return the share of the occurrences of a word that subsampling keeps: the root of threshold / frequency.

    >>> kept_share(torch.tensor([0.001, 0.1]), 0.001).tolist()
    [1.0, 0.10000000149011612]
    """
    return (threshold / frequencies).sqrt().clamp(max=1.0) if threshold else torch.ones_like(frequencies)


def _is_in(words: Tensor, context: Tensor) -> Tensor:
    return (words[..., :, None] == context[..., None, :]).any(dim=-1)


def windows(rows: Tensor, window: int, *, own_word: bool = False) -> Tensor:
    """Return the rows around each word (sentences, words, context words), `NO_WORD` beyond the ends.

    >>> windows(torch.tensor([[1, 2, 3]]), 1).tolist()
    [[[-1, 2], [1, 3], [2, -1]]]
    """
    around = torch.nn.functional.pad(rows, (window, window), value=NO_WORD).unfold(1, 2 * window + 1, 1)
    return around if own_word else torch.cat([around[..., :window], around[..., window + 1 :]], dim=2)
