"""Training one network on several tasks: which task each step learns from.

Every step of the loop draws a task and takes its next batch; the loss of the batch moves what the tasks share and the
head of that task only, because Adam passes over what has no gradient. A task starts again when all its batches are
used. How often a task is drawn depends on how many batches it has:

    proportional   p ∝ n
    uniform        p the same for all
    annealed       p ∝ n^a, a = 1 in the first epoch and falling to 0.2 in the last (Stickland and Murray, 2019)

    tasks = TaskBatches({"inference": pairs_of_pass, "roles": sentences_of_pass}, "proportional", epochs=5)
    TrainingLoop(network, ..., batches=tasks.batches, loss=lambda drawn: network.loss(*drawn), ...)

An epoch is so long that the main task is expected to be seen once, whatever the sampling: what differs is only how much
of the others comes in between. Draws depend on seed and epoch alone, so that a resumed training draws the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from everyword.errors import InputError

Sampling = Literal["proportional", "uniform", "annealed"]
Pass = Callable[[int], Sequence[Any]]
"""Returns the batches of a pass over the data of a task: those of pass 0, 1, 2, ..., as many in each."""
LAST_POWER = 0.2
"""The power of the sizes in the last epoch of annealed sampling."""


class TaskBatch(NamedTuple):
    """A batch and the task that it belongs to."""

    task: str
    batch: Any


def task_shares(sizes: Sequence[int], sampling: Sampling, epoch: int = 0, epochs: int = 1) -> NDArray[np.float64]:
    """Return the probability of each task.

    Args:
        sizes: How many batches each task has.
        sampling: How probabilities depend on sizes.
        epoch: The epoch, from 0.
        epochs: How many there are.

    >>> task_shares([30, 10], "proportional").tolist()
    [0.75, 0.25]
    >>> task_shares([30, 10], "annealed", epoch=4, epochs=5).round(2).tolist()
    [0.55, 0.45]
    """
    if sampling not in get_args(Sampling):
        raise InputError(f"The sampling must be one of {', '.join(get_args(Sampling))}. Got {sampling!r} instead.")
    if not sizes or min(sizes) < 1:
        raise InputError(f"Each task needs one batch or more. Got {list(sizes)} batches.")
    annealed = 1.0 - (1.0 - LAST_POWER) * epoch / max(epochs - 1, 1)
    power = {"proportional": 1.0, "uniform": 0.0, "annealed": annealed}[sampling]
    weights = np.asarray(sizes, dtype=np.float64) ** power
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


class TaskBatches:
    """The batches of several tasks, drawn one by one.

    Args:
        tasks: By name, a function that returns the batches of a pass over the task's data.
        sampling: How often each task is drawn.
        epochs: How many epochs the training has.
        main: The task by which the length of an epoch is measured; by default the first.
        seed: Seeds the draws.
    """

    def __init__(
        self, tasks: Mapping[str, Pass], sampling: Sampling, *, epochs: int, main: str | None = None, seed: int = 0
    ) -> None:
        if not tasks or (main is not None and main not in tasks):
            raise InputError(f"The main task must be one of {', '.join(tasks) or 'the tasks'}. Got {main!r} instead.")
        self.names, self.sampling, self.epochs, self.seed = list(tasks), sampling, epochs, seed
        self.main = self.names.index(main) if main is not None else 0
        self._passes = {name: lru_cache(2)(of_pass) for name, of_pass in tasks.items()}
        self.sizes = [len(self._passes[name](0)) for name in self.names]
        task_shares(self.sizes, sampling)  # refuses tasks without batches

    def shares(self, epoch: int) -> NDArray[np.float64]:
        """Return the probability of each task in an epoch."""
        return task_shares(self.sizes, self.sampling, epoch, self.epochs)

    def steps(self, epoch: int) -> int:
        """Return how many steps an epoch has."""
        return round(self.sizes[self.main] / float(self.shares(epoch)[self.main]))

    def draws(self, epoch: int) -> list[str]:
        """Return the task of each step of an epoch."""
        rng = np.random.default_rng([self.seed, epoch])
        return [self.names[task] for task in rng.choice(len(self.names), self.steps(epoch), p=self.shares(epoch))]

    def batches(self, epoch: int, first: int = 0) -> list[TaskBatch]:
        """Return the batches of an epoch from a step on, as the training loop asks for them."""
        used: Counter[str] = Counter()
        for before in range(epoch):
            used.update(self.draws(before))
        found = []
        for task in self.draws(epoch):
            round_, place = divmod(used[task], self.sizes[self.names.index(task)])
            found.append(TaskBatch(task, self._passes[task](round_)[place]))
            used[task] += 1
        return found[first:]
