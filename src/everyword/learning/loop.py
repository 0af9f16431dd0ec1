"""The training loop of every system: seeded, resumable to the bit from any step, alone or in several processes.

A system gives a network, an optimiser, the batches of an epoch and the loss of a batch; the loop does the rest:

    network = Network(config)
    loop = TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters(), lr=config.learning_rate)),
        epochs=config.epochs,
        batches=lambda epoch, first: shuffled(data, np.random.default_rng([config.seed, epoch]))[first:],
        loss=lambda batch: F.cross_entropy(network(batch.inputs), batch.labels),
        seed=config.seed,
        evaluate=lambda: {"accuracy": accuracy(network, held_out)},
        best="accuracy",
        hooks=[GradientClipping(network, 1.0)],
        run=RunContext(folder, resume=resume),
        fingerprint=fingerprint([to_dict(config), data.sha256]),
    )
    if not loop.run():
        print("Stopped by Ctrl-C; the same command with --resume goes on.")

A resumed training gives the same numbers as an unbroken one if batches and losses depend on nothing but the data, the
epoch and the step; `seed` makes torch's random numbers depend on these too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword.errors import InputError
from everyword.extras import require
from everyword.learning.checkpoint import Progress, TrainingLog, load_checkpoint, save_checkpoint
from everyword.learning.hooks import Hook, Report
from everyword.learning.interrupt import Interrupt
from everyword.learning.optimisers import Optimiser
from everyword.learning.processes import Processes
from everyword.learning.schedules import LearningRate

LOG = "log.jsonl"
CHECKPOINT = "checkpoint.safetensors"


@dataclass(frozen=True)
class RunContext:
    """Where a training keeps its state, and which processes take part."""

    folder: Path | None = None
    """Holds checkpoints and the log; None saves nothing."""
    resume: bool = False
    """Whether to continue from the checkpoint in the folder, if there is one."""
    show_progress: bool = False
    processes: Processes = field(default_factory=Processes)

    def checkpoint(self, stage: str = "") -> Path | None:
        """Return the path of the checkpoint of a stage; a training without stages has one only."""
        return self.folder / (f"{stage}.safetensors" if stage else CHECKPOINT) if self.folder else None


class TrainingLoop:
    """Trains a network, epoch by epoch and step by step.

    Args:
        network: What is trained; in a step it is in training mode.
        optimiser: Moves the network's parameters; `TorchOptimiser` wraps those of torch.
        epochs: How many epochs the whole training has.
        batches: Returns the batches of an epoch from a step on, as a list, or as an iterator if `steps` is given.
        loss: Returns the loss of a batch. With several processes it is this process's part of a sum over all of them,
            or None if the batch holds nothing for this process.
        steps: How many steps an epoch has.
        learning_rate: The rate of each step; None leaves the optimiser's.
        seed: Seeds torch before every step, together with epoch and step; None leaves torch's random numbers alone.
        evaluate: Returns named scores after each epoch, for the log.
        best: The score, the higher the better, that decides which epoch's weights the network has at the end.
        patience: Stops after this many epochs without a better score.
        hooks: See `everyword.learning.hooks`.
        run: Where state is kept. Without a folder nothing is, and Ctrl-C raises KeyboardInterrupt as usual.
        fingerprint: A fingerprint of configuration and data; a checkpoint with another one is refused.
        stage: The name of one of several trainings that share a folder.
        checkpoint_steps: Saves a checkpoint after this many steps, besides the one after each epoch.
        take_step: Takes a whole step itself, from the batch to the moved parameters, and returns its loss, as
            `CapturedSteps` does; then no hook sees a step, and there is one process only.
    """

    def __init__(
        self,
        network: nn.Module,
        optimiser: Optimiser,
        *,
        epochs: int,
        batches: Callable[[int, int], Iterable[Any]],
        loss: Callable[[Any], Tensor | None],
        steps: int | None = None,
        learning_rate: LearningRate | None = None,
        seed: int | None = None,
        evaluate: Callable[[], Mapping[str, float]] | None = None,
        best: str | None = None,
        patience: int | None = None,
        hooks: Sequence[Hook] = (),
        run: RunContext | None = None,
        fingerprint: str = "",
        stage: str = "",
        checkpoint_steps: int | None = None,
        take_step: Callable[[Any], Tensor] | None = None,
    ) -> None:
        self.network, self.optimiser, self.epochs = network, optimiser, epochs
        self.batches, self.loss, self.steps_of_epoch = batches, loss, steps
        self.learning_rate, self.seed = learning_rate, seed
        self.evaluate, self.best, self.patience = evaluate, best, patience
        self.hooks, self.context = hooks, run or RunContext()
        self.fingerprint, self.stage, self.checkpoint_steps = fingerprint, stage, checkpoint_steps
        self.take_step = take_step
        self.progress = Progress()
        self.history: list[Report] = []
        """The reports of the epochs that this process has finished."""
        self._best_weights = weights_of(network) if best else {}
        self._log: TrainingLog | None = None
        self._started = False
        self._losses: list[Tensor] = []
        """Losses on the device: asking for a number at every step would stall a GPU."""
        self._loss_sum = 0.0
        """The sum of earlier losses of this process that are not yet in `progress`."""

    def run(self) -> bool:
        """Train to the end, or until Ctrl-C, which waits for the end of the step; return whether it is the end.

        The network then has the best weights if `best` is given, and the last ones otherwise.
        """
        with Interrupt() if self.context.folder else nullcontext() as interrupt:
            for _ in self.steps():
                # All processes stop after the same step, or none of them would go on.
                if interrupt is not None and self.context.processes.any(interrupt.requested):
                    self.save()
                    return False
        self.context.processes.share_weights(self.network)
        self.save()
        if self.best:
            self.network.load_state_dict(self._best_weights)
        self.network.eval()
        return True

    def start(self) -> None:
        """Restore the checkpoint if the training is resumed, and remove what another run has left if it is not."""
        if self._started:
            return
        self._started = True
        path, processes = self.context.checkpoint(self.stage), self.context.processes
        if path and self.context.resume and path.exists():
            groups, self.progress = load_checkpoint(path, self.fingerprint)
            self.network.load_state_dict(groups["network"])
            self._best_weights = groups.get("best", {})
            self.optimiser.load_state(groups.get("optimiser", {}))
            for number, hook in enumerate(self.hooks):
                if state := groups.get(f"hook-{number}"):
                    hook.load_state(state)
        if path and self.context.folder and processes.first:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self.context.resume:
                path.unlink(missing_ok=True)
            self._log = TrainingLog(self.context.folder / LOG)
            self._log.forget(self.stage if self.context.resume else None, self.progress.epoch)
        # This also waits: the first process must not write what another has yet to read.
        processes.share_weights(self.network)

    @property
    def is_over(self) -> bool:
        """Whether all epochs are done, or no more patience is left."""
        waited = self.progress.epoch - 1 - self.progress.best_epoch
        impatient = self.patience is not None and self.progress.epoch > 0 and waited >= self.patience
        return self.progress.epoch >= self.epochs or impatient

    def steps(self) -> Iterator[Progress]:
        """Train step by step, and give the progress after each."""
        self.start()
        progress = self.progress
        while not self.is_over:
            started, first = perf_counter(), progress.step
            batches = self.batches(progress.epoch, first)
            steps = self.steps_of_epoch or (first + len(batches) if isinstance(batches, Sequence) else 0)
            self.network.train()
            with self._bar(steps) as bar:
                for batch in batches:
                    self._step(batch, steps)
                    progress.step += 1
                    if bar is not None and (bar.update() or progress.step == steps):  # when the bar is drawn anew
                        self._show_loss(bar)
                    yield progress
                    if self.checkpoint_steps and progress.step % self.checkpoint_steps == 0:
                        self.save()
            self._end_epoch(perf_counter() - started)

    def save(self) -> None:
        """Save all that is needed to continue."""
        self._gather_losses()
        path = self.context.checkpoint(self.stage)
        if path and self.context.processes.first:
            groups = {"network": dict(self.network.state_dict()), "optimiser": self.optimiser.state()}
            best = {"best": self._best_weights} if self.best else {}
            hooks = {f"hook-{number}": hook.state() for number, hook in enumerate(self.hooks)}
            save_checkpoint(path, groups | best | hooks, self.progress, self.fingerprint)

    def _step(self, batch: Any, steps: int) -> None:
        progress = self.progress
        if self.seed is not None:
            # A seed a step: dropout then depends on nothing that a checkpoint would have to carry.
            torch.manual_seed(mixed_seed(self.seed, progress.epoch, progress.step))
        if self.learning_rate is not None:
            self.optimiser.set_learning_rate(self.learning_rate(progress.epoch, progress.step, steps))
        if self.take_step is not None:
            self._losses.append(self.take_step(batch))
            return
        self.optimiser.zero_grad()
        loss = self.loss(batch)
        if loss is not None:
            for hook in self.hooks:
                loss = hook.before_backward(loss, batch)
            loss.backward()  # type: ignore[no-untyped-call]
            self._losses.append(loss.detach())
        self.context.processes.sum_gradients(self.network)
        for hook in self.hooks:
            hook.after_backward()
        self.optimiser.step()
        for hook in self.hooks:
            hook.after_step()

    def _end_epoch(self, seconds: float) -> None:
        progress = self.progress
        self._gather_losses()
        report: Report = {"stage": self.stage} if self.stage else {}
        report |= {"epoch": progress.epoch + 1, "loss": progress.loss_sum / max(progress.step, 1)}
        if not self.best:  # else the best weights so far are what comes out
            check_loss(report)
        if self.evaluate is not None:
            self.network.eval()
            report |= self.evaluate()
        if self.best and report[self.best] > progress.best_score:
            progress.best_score, progress.best_epoch = report[self.best], progress.epoch
            self._best_weights = weights_of(self.network)
        report["seconds"] = seconds
        for hook in self.hooks:
            hook.after_epoch(report)
        self.history.append(report)
        if self._log is not None:
            self._log.write(report)
        progress.epoch, progress.step, progress.loss_sum = progress.epoch + 1, 0, 0.0
        self.save()

    def _gather_losses(self) -> None:
        """Add the losses of all processes to the progress."""
        self._read_losses()
        [loss] = self.context.processes.sums([self._loss_sum])
        self.progress.loss_sum += loss
        self._loss_sum = 0.0

    def _read_losses(self) -> None:
        if self._losses:
            self._loss_sum += sum(torch.stack(self._losses).tolist())
            self._losses = []

    def _bar(self, steps: int) -> Any:
        if not (self.context.show_progress and self.context.processes.first):
            return nullcontext()
        return require("tqdm", "The progress bar of training").tqdm(
            desc=f"{self.stage or 'epoch'} {self.progress.epoch + 1}/{self.epochs}",
            total=steps or None,
            initial=self.progress.step,
            unit="batch",
        )

    def _show_loss(self, bar: Any) -> None:
        self._read_losses()
        # What the other processes have lost since the last checkpoint is about as much.
        lost = self.progress.loss_sum + self._loss_sum * self.context.processes.count
        bar.set_postfix_str(f"loss {lost / self.progress.step:.4f}", refresh=False)


def check_loss(report: Report) -> None:
    """Raise `InputError` if the loss of an epoch is not a number any more: nothing that follows would be one."""
    if not math.isfinite(report["loss"]):
        raise InputError(
            f"The training diverged in epoch {report['epoch']}: its loss is {report['loss']}. Choose a smaller "
            "learning rate, or a limit for gradients if there is none."
        )


def weights_of(network: nn.Module) -> dict[str, Tensor]:
    """Return a copy of the weights on the CPU."""
    return {name: weights.detach().cpu().clone() for name, weights in network.state_dict().items()}


def mixed_seed(*numbers: int) -> int:
    """Return one seed made of several numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])
