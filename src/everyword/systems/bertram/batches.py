"""Which words, with which of their contexts, make the batches of an epoch: a function of seed and epoch alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import IndexArray


@dataclass(frozen=True)
class Batch:
    """Words, and for each of them the contexts it is shown with."""

    rows: IndexArray
    contexts: Sequence[IndexArray] = ()
    """Places among the contexts of all words; empty in a stage that looks at none."""

    def part(self, rank: int, count: int) -> Batch:
        """The words of one of several processes."""
        return Batch(self.rows[rank::count], self.contexts[rank::count])

    @property
    def flat(self) -> IndexArray:
        """The contexts of all words, one after the other."""
        return np.concatenate(self.contexts)

    @property
    def counts(self) -> list[int]:
        """How many contexts each word has here."""
        return [len(chosen) for chosen in self.contexts]


@dataclass(frozen=True)
class Drawing:
    """How many contexts a word is shown with, and what fills a batch."""

    fewest: int
    most: int
    contexts_a_batch: int | None = None
    words_a_batch: int | None = None

    def epoch(self, counts: IndexArray, seed: int, epoch: int) -> Iterator[Batch]:
        """Each word that has contexts once, in a new order and with contexts drawn anew."""
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
        """Whether a batch of so many words has no room for one that would make it so many contexts."""
        if self.words_a_batch is not None:
            return words == self.words_a_batch
        return self.contexts_a_batch is not None and contexts > self.contexts_a_batch


def word_batches(count: int, words_a_batch: int, seed: int, epoch: int) -> Iterator[Batch]:
    """Each word once, in a new order, without contexts."""
    order = np.random.default_rng([seed, epoch]).permutation(count)
    for first in range(0, count, words_a_batch):
        yield Batch(order[first : first + words_a_batch])
