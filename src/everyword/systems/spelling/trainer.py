"""The training loop: seeded, resumable from any step, with held-out words for choosing the best epoch."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.arrays import FloatArray
from everyword.extras import require
from everyword.learning.checkpoint import Progress, load_checkpoint, save_checkpoint
from everyword.learning.device import pick_device
from everyword.learning.interrupt import Interrupt
from everyword.learning.log import TrainingLog
from everyword.learning.losses import Loss, LossOptions
from everyword.learning.optimisers import RowwiseAdam
from everyword.learning.schedules import Schedule, cosine_factor
from everyword.systems.spelling.encoders.base import Encoder
from everyword.systems.spelling.examples import Examples, batches
from everyword.text.units import Units

CHECKPOINT = "checkpoint.safetensors"
LOG = "log.jsonl"


@dataclass(frozen=True)
class TrainingConfig:
    """How long and how fast."""

    epochs: int = 20
    """0 leaves the encoder untrained: the row that every table of scores needs beside the others."""
    anchors: int = 256
    """Words drawn for a batch; their hard negatives come on top."""
    frequency_power: float = 0.0
    """0 shows each word once an epoch. Above it, words are drawn with replacement, the word at rank r, from 0, in
    proportion to (r + 1000)^-power; 0.5 has proved good."""
    learning_rate: float = 2e-3
    schedule: Schedule = "exponential"
    """exponential: `decay` after each epoch. cosine: a short rise, then down to near zero over all epochs."""
    decay: float = 0.97
    """The rate of an exponential schedule is multiplied by this after each epoch."""
    patience: int | None = None
    """Stop after this many epochs without a better held-out score; None goes through all epochs."""
    seed: int = 0
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """auto is bfloat16 on a GPU that has it, float32 on a CPU."""
    workers: int = 0
    """Processes that make batches ahead; the result is the same with any number of them."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        least: dict[str, tuple[float, float]] = {
            "epochs": (self.epochs, 0),
            "anchors": (self.anchors, 2),
            "frequency_power": (self.frequency_power, 0),
            "seed": (self.seed, 0),
            "workers": (self.workers, 0),
        }
        positive = {"learning_rate": self.learning_rate, "decay": self.decay}
        return [
            f"{name} must be {minimum} or more. Got {value} instead"
            for name, (value, minimum) in least.items()
            if value < minimum
        ] + [f"{name} must be above 0. Got {value} instead" for name, value in positive.items() if value <= 0]

    def rate_at(self, epoch: int, step: int, steps: int) -> float:
        """The learning rate of a step of an epoch that has so many."""
        if self.schedule == "exponential":
            return self.learning_rate * self.decay**epoch
        # The first step must not have the rate zero: what counts is how far training will have come after it.
        return self.learning_rate * cosine_factor((epoch + (step + 1) / steps) / self.epochs)


@dataclass(frozen=True)
class HeldOut:
    """Words that are never trained on, and the teacher's vectors for them."""

    words: Sequence[str]
    targets: FloatArray


class Trainer:
    """Trains an encoder in a run folder, which holds the checkpoint and the log."""

    def __init__(
        self,
        encoder: Encoder,
        config: TrainingConfig,
        *,
        units: Units,
        examples: Examples,
        targets: FloatArray,
        held_out: HeldOut,
        loss: Loss,
        loss_options: LossOptions,
        folder: Path,
        fingerprint: str,
        device: str = "cpu",
        show_progress: bool = True,
    ) -> None:
        self.device = pick_device(device)
        self.encoder = encoder.to(self.device)
        self.units, self.examples, self.held_out = units, examples, held_out
        self.targets = torch.from_numpy(targets).to(self.device)
        self.loss, self.loss_options, self.config = loss, loss_options, config
        self.folder, self.fingerprint = folder, fingerprint
        self.show_progress = show_progress
        self.optimiser = RowwiseAdam(self.encoder, config.learning_rate)
        self.progress = Progress()
        self.best = self._weights()

    def run(self, *, resume: bool = False) -> bool:
        """Train to the end, or until Ctrl-C; the encoder then has the best weights. True if training is complete.

        Resuming without a checkpoint starts from the beginning: the data was prepared, but no step was taken.
        """
        resume = resume and (self.folder / CHECKPOINT).exists()
        if resume:
            self._restore()
        log = TrainingLog(self.folder / LOG, fresh=not resume)
        coming = self._coming_batches()
        with Interrupt() as interrupt:
            while not self._is_over() and not interrupt.requested:
                self._run_epoch(coming, log, interrupt)
        self._save()
        self.encoder.load_state_dict(self.best)
        return self._is_over()

    def _is_over(self) -> bool:
        progress, patience = self.progress, self.config.patience
        waited = progress.epoch - 1 - progress.best_epoch
        lost_patience = patience is not None and progress.epoch > 0 and waited >= patience
        return progress.epoch >= self.config.epochs or lost_patience

    def _coming_batches(self) -> Iterator[tuple[Tensor, Tensor]]:
        progress, config = self.progress, self.config
        places = [(epoch, step) for epoch in range(progress.epoch, config.epochs) for step in range(self._steps)]
        return batches(self.examples, config.anchors, places[progress.step :], config.workers)

    @property
    def _steps(self) -> int:
        return -(-len(self.examples.words) // self.config.anchors)

    def _run_epoch(self, coming: Iterator[tuple[Tensor, Tensor]], log: TrainingLog, interrupt: Interrupt) -> None:
        progress, steps = self.progress, self._steps
        started, rows_done = time.perf_counter(), 0
        self.encoder.train()
        with self._bar(steps) as bar:
            while progress.step < steps and not interrupt.requested:
                rows, ids = next(coming)
                loss = self._run_step(rows, ids)
                progress.step += 1
                progress.loss_sum += loss
                rows_done += len(ids)
                bar.set_postfix_str(
                    f"loss {progress.loss_sum / progress.step:.3f}, "
                    f"{rows_done / (time.perf_counter() - started):,.0f} words/s"
                )
                bar.update()
        if progress.step < steps:
            return
        seconds = time.perf_counter() - started
        self._end_epoch(log, loss=progress.loss_sum / steps, seconds=seconds, words=rows_done)

    def _run_step(self, rows: Tensor, ids: Tensor) -> float:
        progress, config = self.progress, self.config
        # A seed a step: dropout then depends on nothing that a checkpoint would have to carry.
        torch.manual_seed(_mixed_seed(config.seed, progress.epoch, progress.step))
        self.optimiser.set_learning_rate(config.rate_at(progress.epoch, progress.step, self._steps))
        self.optimiser.zero_grad()
        with self._autocast():
            outputs = self.encoder(ids.to(self.device, torch.int64))
        loss = self.loss(outputs.float(), self.targets[rows.to(self.device, torch.int64)], self.loss_options)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        return float(loss.detach())

    def _end_epoch(self, log: TrainingLog, *, loss: float, seconds: float, words: int) -> None:
        progress = self.progress
        score = self.held_out_cosine()
        if score > progress.best_score:
            progress.best_score, progress.best_epoch, self.best = score, progress.epoch, self._weights()
        log.write(
            epoch=progress.epoch + 1,
            loss=round(loss, 6),
            held_out_cosine=round(score, 6),
            learning_rate=self.config.rate_at(progress.epoch, progress.step - 1, progress.step),
            seconds=round(seconds, 2),
            words_per_second=round(words / seconds),
        )
        progress.epoch, progress.step, progress.loss_sum = progress.epoch + 1, 0, 0.0
        self._save()

    def held_out_cosine(self) -> float:
        """Mean cosine of output and teacher over the held-out words."""
        self.encoder.eval()
        outputs = []
        with torch.no_grad():
            for first in range(0, len(self.held_out.words), 1024):
                words = self.held_out.words[first : first + 1024]
                ids = torch.from_numpy(self.units.batch(words).sequences.padded())
                outputs.append(self.encoder(ids.to(self.device, torch.int64)).float().cpu())
        return float(F.cosine_similarity(torch.cat(outputs), torch.from_numpy(self.held_out.targets)).mean())

    def _weights(self) -> dict[str, Tensor]:
        return {name: tensor.detach().cpu().clone() for name, tensor in self.encoder.state_dict().items()}

    def _save(self) -> None:
        groups = {"encoder": self._weights(), "best": self.best, "optimiser": self.optimiser.state()}
        save_checkpoint(self.folder / CHECKPOINT, groups, self.progress, self.fingerprint)

    def _restore(self) -> None:
        groups, self.progress = load_checkpoint(self.folder / CHECKPOINT, self.fingerprint)
        self.encoder.load_state_dict(groups["encoder"])
        self.best = groups["best"]
        self.optimiser.load_state(groups.get("optimiser", {}))

    def _autocast(self) -> AbstractContextManager[object]:
        precision = self.config.precision
        if precision == "auto":
            precision = "bfloat16" if self.device.type == "cuda" and torch.cuda.is_bf16_supported() else "float32"
        return torch.autocast(self.device.type, torch.bfloat16) if precision == "bfloat16" else nullcontext()

    def _bar(self, steps: int) -> Any:
        return require("tqdm", "The progress bar of training").tqdm(
            desc=f"epoch {self.progress.epoch + 1}/{self.config.epochs}",
            total=steps,
            initial=self.progress.step,
            disable=not self.show_progress,
            unit="batch",
        )


def _mixed_seed(*numbers: int) -> int:
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])
