"""The training loop that all stages share: seeded, resumable from any step, alone or in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from torch import Tensor, nn

from everyword.extras import require
from everyword.learning.checkpoint import Progress, load_checkpoint, save_checkpoint
from everyword.learning.interrupt import Interrupt
from everyword.learning.log import TrainingLog
from everyword.learning.optimisers import RowwiseAdam
from everyword.learning.processes import Processes
from everyword.learning.schedules import linear_factor
from everyword.systems.bertram.batches import Batch

LOG = "log.jsonl"
STEPS_BETWEEN_CHECKPOINTS = 2000


class Pace(Protocol):
    """How long and how fast a stage learns."""

    @property
    def epochs(self) -> int:
        """How often each word is shown."""

    @property
    def learning_rate(self) -> float:
        """The highest rate."""

    @property
    def warm_up(self) -> float | None:
        """The share of all steps in which the rate rises before it falls; None leaves it as it is."""


class Measured(NamedTuple):
    """What came out of a batch, each number a sum."""

    loss: Tensor
    """Of the squared distances of words and their targets."""
    negative: int = 0
    """Weights of contexts below zero."""
    contexts: int = 0


Draws = list[np.random.Generator]
"""One source of chance for each word of a batch."""
Measure = Callable[[Batch, Draws], Measured]


@dataclass(frozen=True)
class Place:
    """Where a training keeps its state, and who takes part."""

    folder: Path | None = None
    """Holds checkpoints and the log; without one nothing is kept."""
    resume: bool = False
    show_progress: bool = False
    processes: Processes = field(default_factory=Processes)


class Loop:
    """One stage of a training."""

    def __init__(
        self,
        name: str,
        network: nn.Module,
        pace: Pace,
        *,
        batches: Callable[[int], Iterable[Batch]],
        measure: Measure,
        place: Place,
        stamp: str,
        seed: int,
    ) -> None:
        self.name, self.network, self.pace = name, network, pace
        self.batches, self.measure, self.place = batches, measure, place
        self.stamp, self.seed = stamp, seed
        self.optimiser = RowwiseAdam(network, pace.learning_rate)
        self.progress = Progress()
        self._seen = np.zeros(2)
        """Negative weights and contexts of this epoch."""

    def run(self) -> bool:
        """Train to the end, or until Ctrl-C; True if the stage is complete."""
        self._begin()
        self.network.train()
        with Interrupt() as interrupt:
            while self.progress.epoch < self.pace.epochs:
                if not self._run_epoch(interrupt):
                    self._save()
                    return False
        self.place.processes.share_weights(self.network)
        self._save()
        self.network.eval()
        return True

    def _begin(self) -> None:
        path = self._checkpoint
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            if self.place.resume and path.exists():
                groups, self.progress = load_checkpoint(path, self.stamp)
                self.network.load_state_dict(groups["network"])
                self.optimiser.load_state(groups.get("optimiser", {}))
        # This also waits: the first process must not write what another has yet to read.
        self.place.processes.share_weights(self.network)

    def _run_epoch(self, interrupt: Interrupt) -> bool:
        progress, processes = self.progress, self.place.processes
        started, batches = time.perf_counter(), list(self.batches(progress.epoch))
        with self._bar(len(batches)) as bar:
            for batch in batches[progress.step :]:
                loss, negative, contexts, stop = processes.sums(
                    [*self._step(batch, len(batches)), float(interrupt.requested)]
                )
                progress.step += 1
                progress.loss_sum += loss / len(batch.rows)
                self._seen += negative, contexts
                bar.set_postfix_str(f"loss {progress.loss_sum / progress.step:.4f}")
                bar.update()
                if stop:
                    return False
                if progress.step % STEPS_BETWEEN_CHECKPOINTS == 0:
                    self._save()
        self._end_epoch(len(batches), time.perf_counter() - started)
        return True

    def _step(self, batch: Batch, steps: int) -> tuple[float, float, float]:
        """Move the network; what this process measured of its part of the batch."""
        progress, processes = self.progress, self.place.processes
        self.optimiser.set_learning_rate(self._rate(steps))
        self.optimiser.zero_grad()
        part = batch.part(processes.rank, processes.count)
        measured = (0.0, 0.0, 0.0)
        if len(part.rows):
            # One generator a word: what is hidden of it depends neither on its batch nor on its process.
            draws = [np.random.default_rng([self.seed, progress.epoch, row]) for row in part.rows.tolist()]
            found = self.measure(part, draws)
            (found.loss / len(batch.rows)).backward()  # type: ignore[no-untyped-call]
            measured = (float(found.loss.detach()), found.negative, found.contexts)
        processes.sum_gradients(self.network)
        self.optimiser.step()
        return measured

    def _rate(self, steps: int) -> float:
        if self.pace.warm_up is None:
            return self.pace.learning_rate
        # Between the ends, where the rate would be zero.
        done = (self.progress.epoch + (self.progress.step + 1) / (steps + 1)) / self.pace.epochs
        return self.pace.learning_rate * linear_factor(done, self.pace.warm_up)

    def _end_epoch(self, steps: int, seconds: float) -> None:
        progress = self.progress
        negative, contexts = self._seen.tolist()
        if self.place.folder is not None and self.place.processes.first:
            TrainingLog(self.place.folder / LOG, fresh=False).write(
                stage=self.name,
                epoch=progress.epoch + 1,
                loss=round(progress.loss_sum / max(steps, 1), 6),
                negative_weights=round(negative / contexts, 4) if contexts else None,
                seconds=round(seconds, 2),
            )
        progress.epoch, progress.step, progress.loss_sum = progress.epoch + 1, 0, 0.0
        self._seen[:] = 0
        self._save()

    @property
    def _checkpoint(self) -> Path | None:
        return None if self.place.folder is None else checkpoint_path(self.place.folder, self.name)

    def _save(self) -> None:
        if self._checkpoint is not None and self.place.processes.first:
            groups = {"network": self.network.state_dict(), "optimiser": self.optimiser.state()}
            save_checkpoint(self._checkpoint, groups, self.progress, self.stamp)

    def _bar(self, steps: int) -> Any:
        return require("tqdm", "The progress bar of training").tqdm(
            desc=f"{self.name} {self.progress.epoch + 1}/{self.pace.epochs}",
            total=steps,
            initial=self.progress.step,
            disable=not self.place.show_progress,
            unit="batch",
        )


def checkpoint_path(folder: Path, stage: str) -> Path:
    """Where a stage keeps its state."""
    return folder / f"{stage}.safetensors"
