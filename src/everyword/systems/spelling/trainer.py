"""Training of a spelling encoder: it learns the teacher's vectors, and held-out words choose the best epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.arrays import FloatArray
from everyword.config import AtLeast, Natural, NonNegative, Positive
from everyword.learning.device import pick_device
from everyword.learning.hooks import EpochReport, Report
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.losses import Loss, LossOptions
from everyword.learning.optimisers import RowwiseAdam
from everyword.learning.schedules import Schedule, cosine_factor
from everyword.systems.spelling.encoders.base import Encoder
from everyword.systems.spelling.examples import Examples, batches
from everyword.text.units import Units


@dataclass(frozen=True)
class TrainingConfig:
    """Length, speed and numerics of a training."""

    epochs: Natural = 20
    """0 leaves the encoder untrained: the row that every table of scores needs beside the others."""
    anchors: Annotated[int, AtLeast(2)] = 256
    """Words drawn for a batch; their hard negatives come on top."""
    frequency_power: NonNegative = 0.0
    """0 shows each word once per epoch. Above it, words are drawn with replacement, the word at rank r, from 0, in
    proportion to (r + 1000)^-power; 0.5 has proved good."""
    learning_rate: Positive = 2e-3
    schedule: Schedule = "exponential"
    """exponential: `decay` after each epoch. cosine: a short rise, then down to near zero over all epochs."""
    decay: Positive = 0.97
    """The rate of an exponential schedule is multiplied by this after each epoch."""
    patience: int | None = None
    """Stop after this many epochs without a better held-out score; None goes through all epochs."""
    seed: Natural = 0
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """auto is bfloat16 on a GPU that has it, float32 on a CPU."""
    workers: Natural = 0
    """Processes that make batches ahead; the result is the same with any number of them."""

    def rate_at(self, epoch: int, step: int, steps: int) -> float:
        """Return the learning rate of a step of an epoch that has `steps` steps."""
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
    """An encoder, what it learns from, and the loop that trains it."""

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
        run: RunContext,
        fingerprint: str,
        device: str = "cpu",
    ) -> None:
        self.device = pick_device(device)
        self.encoder, self.config = encoder.to(self.device), config
        self.units, self.examples, self.held_out = units, examples, held_out
        self.targets = torch.from_numpy(targets).to(self.device)
        self.loss, self.loss_options = loss, loss_options
        self.steps = -(-len(examples.words) // config.anchors)
        self._coming: Iterator[tuple[Tensor, Tensor]] | None = None
        self._words_seen = 0
        self.loop = TrainingLoop(
            self.encoder,
            RowwiseAdam(self.encoder, config.learning_rate),
            epochs=config.epochs,
            batches=self._batches,
            steps=self.steps,
            loss=self._loss,
            learning_rate=config.rate_at,
            seed=config.seed,
            evaluate=lambda: {"held_out_cosine": self.held_out_cosine()},
            best="held_out_cosine",
            patience=config.patience,
            hooks=[EpochReport(self._report)],
            run=run,
            fingerprint=fingerprint,
        )

    def _batches(self, epoch: int, first_step: int) -> Iterator[tuple[Tensor, Tensor]]:
        if self._coming is None:  # one iterator for all epochs: those who make batches ahead never pause
            steps = [(number, step) for number in range(epoch, self.config.epochs) for step in range(self.steps)]
            self._coming = batches(self.examples, self.config.anchors, steps[first_step:], self.config.workers)
        return islice(self._coming, self.steps - first_step)

    def _loss(self, batch: tuple[Tensor, Tensor]) -> Tensor:
        rows, ids = batch
        self._words_seen += len(ids)
        with self._autocast():
            outputs = self.encoder(ids.to(self.device, torch.int64))
        return self.loss(outputs.float(), self.targets[rows.to(self.device, torch.int64)], self.loss_options)

    def _report(self, report: Report) -> None:
        report["learning_rate"] = self.config.rate_at(report["epoch"] - 1, self.steps - 1, self.steps)
        report["words_per_second"] = round(self._words_seen / report["seconds"])
        self._words_seen = 0

    def held_out_cosine(self) -> float:
        """Return the mean cosine of output and teacher over the held-out words."""
        self.encoder.eval()
        outputs = []
        with torch.no_grad():
            for first in range(0, len(self.held_out.words), 1024):
                words = self.held_out.words[first : first + 1024]
                ids = torch.from_numpy(self.units.batch(words).sequences.padded())
                outputs.append(self.encoder(ids.to(self.device, torch.int64)).float().cpu())
        return float(F.cosine_similarity(torch.cat(outputs), torch.from_numpy(self.held_out.targets)).mean())

    def _autocast(self) -> AbstractContextManager[object]:
        precision = self.config.precision
        if precision == "auto":
            precision = "bfloat16" if self.device.type == "cuda" and torch.cuda.is_bf16_supported() else "float32"
        return torch.autocast(self.device.type, torch.bfloat16) if precision == "bfloat16" else nullcontext()
