"""One stage of a training: words in batches, each word with random numbers of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from torch import Tensor, nn

from everyword.learning.hooks import EpochReport, Report
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowwiseAdam
from everyword.learning.schedules import linear_factor
from everyword.systems.bertram.batches import Batch
from everyword.systems.bertram.config import ContextStage, FormStage, StaticConfig

STEPS_BETWEEN_CHECKPOINTS = 2000


class Measured(NamedTuple):
    """What came out of a batch, each number a sum."""

    loss: Tensor
    """Of the squared distances of words and their targets."""
    negative: int = 0
    """Weights of contexts below zero."""
    contexts: int = 0


Draws = list[np.random.Generator]
"""A random generator for each word of a batch."""
Measure = Callable[[Batch, Draws], Measured]


def train_stage(
    name: str,
    network: nn.Module,
    stage: ContextStage | FormStage | StaticConfig,
    *,
    batches: Callable[[int], Iterable[Batch]],
    measure: Measure,
    run: RunContext,
    fingerprint: str,
    seed: int,
) -> bool:
    """Train a network on the mean loss per word; return False if Ctrl-C came first."""
    counts = np.zeros(2)
    """Negative weights and contexts of this epoch."""

    def loss(batch: Batch) -> Tensor | None:
        part = batch.part(run.processes.rank, run.processes.count)
        if not len(part.rows):
            return None
        # One generator a word: what is hidden of it depends neither on its batch nor on its process.
        draws = [np.random.default_rng([seed, loop.progress.epoch, row]) for row in part.rows.tolist()]
        measured = measure(part, draws)
        counts[:] += measured.negative, measured.contexts
        return measured.loss / len(batch.rows)

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
