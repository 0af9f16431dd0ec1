"""Batches of words with some of their contexts, and the training loop that all stages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.learning.hooks import EpochReport, Report
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowwiseAdam
from everyword.learning.schedules import linear_factor
from everyword.systems.bertram.config import ContextStage, FormStage, StaticConfig

STEPS_BETWEEN_CHECKPOINTS = 2000


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


class BatchLoss(NamedTuple):
    """The summed loss of a batch, and how many of its contexts have a negative weight."""

    loss: Tensor
    negative: int = 0
    contexts: int = 0

    @classmethod
    def of(cls, vectors: Tensor, targets: Tensor, weights: Tensor | None = None) -> BatchLoss:
        """Sum the squared distances of vectors to their targets."""
        counts = () if weights is None else (int((weights < 0).sum()), len(weights))
        return cls((vectors - targets).square().sum(), *counts)


Generators = list[np.random.Generator]
"""A random generator per word of a batch."""


def train_stage(
    name: str,
    network: nn.Module,
    stage: ContextStage | FormStage | StaticConfig,
    *,
    batches: Callable[[int], Iterable[Batch]],
    batch_loss: Callable[[Batch, Generators], BatchLoss],
    run: RunContext,
    fingerprint: str,
    seed: int,
) -> bool:
    """Train a network on the mean loss per word; return False after Ctrl-C."""
    counts = np.zeros(2)
    """Negative weights and contexts of this epoch."""

    def loss(batch: Batch) -> Tensor | None:
        part = batch.part(run.processes.rank, run.processes.count)
        if not len(part.rows):
            return None
        # One generator a word: what is hidden of it depends neither on its batch nor on its process.
        generators = [np.random.default_rng([seed, loop.progress.epoch, row]) for row in part.rows.tolist()]
        found = batch_loss(part, generators)
        counts[:] += found.negative, found.contexts
        return found.loss / len(batch.rows)

    def rate(epoch: int, step: int, steps: int) -> float:
        if stage.warm_up is None:
            return stage.learning_rate
        # Between the ends, where the rate would be zero.
        return stage.learning_rate * linear_factor((epoch + (step + 1) / (steps + 1)) / stage.epochs, stage.warm_up)

    def add_counts(report: Report) -> None:
        negative, contexts = run.processes.sums(counts.tolist())
        report["negative_weights"] = round(negative / contexts, 4) if contexts else None
        counts[:] = 0

    loop = TrainingLoop(
        network,
        RowwiseAdam(network, stage.learning_rate),
        epochs=stage.epochs,
        batches=lambda epoch, first: list(batches(epoch))[first:],
        loss=loss,
        learning_rate=rate,
        hooks=[EpochReport(add_counts)],
        run=run,
        fingerprint=fingerprint,
        stage=name,
        checkpoint_steps=STEPS_BETWEEN_CHECKPOINTS,
    )
    return loop.run()
