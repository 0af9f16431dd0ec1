"""Batches of an epoch: which words, with which of their contexts. A function of seed and epoch alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import IndexArray


@dataclass(frozen=True)
class Batch:
    """Words, and the contexts that each is shown with."""

    rows: IndexArray
    contexts: Sequence[IndexArray] = ()
    """Indices among the contexts of all words; empty in a stage without contexts."""

    def part(self, rank: int, count: int) -> Batch:
        """Return the words of one of several processes."""
        return Batch(self.rows[rank::count], self.contexts[rank::count])

    @property
    def flat(self) -> IndexArray:
        """The contexts of all words, concatenated."""
        return np.concatenate(self.contexts)

    @property
    def counts(self) -> list[int]:
        """The number of contexts per word."""
        return [len(chosen) for chosen in self.contexts]


@dataclass(frozen=True)
class ContextSampler:
    """Samples between `fewest` and `most` contexts per word, for batches with a maximum of contexts or of words."""

    fewest: int
    most: int
    contexts_a_batch: int | None = None
    words_a_batch: int | None = None

    def epoch(self, counts: IndexArray, seed: int, epoch: int) -> Iterator[Batch]:
        """Yield each word that has contexts once, in a new order and with a new sample of its contexts."""
        rng = np.random.default_rng([seed, epoch])
        starts = np.cumsum(counts) - counts
        rows: list[int] = []
        contexts: list[IndexArray] = []
        drawn = 0
        for row in rng.permutation(np.flatnonzero(counts)).tolist():
            available = int(counts[row])
            size = int(rng.integers(min(self.fewest, available), min(self.most, available) + 1))
            if rows and self._full(len(rows), drawn + size):
                yield Batch(np.array(rows), contexts)
                rows, contexts, drawn = [], [], 0
            rows.append(row)
            contexts.append(starts[row] + rng.choice(available, size=size, replace=False))
            drawn += size
        if rows:
            yield Batch(np.array(rows), contexts)

    def _full(self, words: int, contexts: int) -> bool:
        """Return whether a batch of `words` words is full, or would be with another word and `contexts` contexts."""
        if self.words_a_batch is not None:
            return words == self.words_a_batch
        return self.contexts_a_batch is not None and contexts > self.contexts_a_batch


def word_batches(count: int, words_a_batch: int, seed: int, epoch: int) -> Iterator[Batch]:
    """Yield each word once, in a new order, without contexts."""
    order = np.random.default_rng([seed, epoch]).permutation(count)
    for first in range(0, count, words_a_batch):
        yield Batch(order[first : first + words_a_batch])
