"""Train a spelling encoder to predict the teacher's vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from everyword import registry
from everyword.config import AtLeast, Natural, NonNegative, Positive
from everyword.learning.captured import CapturableAdam, CapturedSteps
from everyword.learning.device import pick_device
from everyword.learning.hooks import EpochReport, Report
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.losses import Loss
from everyword.learning.optimisers import RowwiseAdam
from everyword.learning.schedules import Schedule, cosine_factor
from everyword.systems.spelling.encoders.base import Encoder
from everyword.systems.spelling.examples import UNCHANGED, Examples, batches
from everyword.systems.spelling.preparation import TrainingData
from everyword.systems.spelling.shown_words import ShownWords

if TYPE_CHECKING:
    from everyword.systems.spelling.config import RecipeConfig


@dataclass(frozen=True)
class TrainingConfig:
    """Length, speed and numerics of a training."""

    epochs: Natural = 20
    """0 leaves the encoder untrained, as a baseline."""
    anchors: Annotated[int, AtLeast(2)] = 256
    """How many words are drawn per batch; their hard negatives are added."""
    frequency_power: NonNegative = 0.0
    """0 shows each word once per epoch. Above it, words are drawn with replacement, the word at rank r, from 0, in
    proportion to (r + 1000)^-power; 0.5 works well."""
    learning_rate: Positive = 2e-3
    schedule: Schedule = "exponential"
    """exponential: `decay` after each epoch. cosine: a short rise, then down to near zero over all epochs."""
    decay: Positive = 0.97
    """The rate of an exponential schedule is multiplied by this after each epoch."""
    keep: Literal["best", "last"] = "best"
    """Which epoch becomes the model: the one with the best held-out score, or the last, as MIMICK's program has it."""
    patience: int | None = None
    """Stop after this many epochs without a better held-out score; None runs all epochs."""
    seed: Natural = 0
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """auto is bfloat16 on a GPU that has it, float32 on a CPU."""
    workers: Natural = 0
    """Number of processes that compute batches ahead; the result does not depend on it."""
    captured: bool = False
    """On a GPU, record a step once and replay it as a whole, which is faster for a small encoder of characters whose
    words are shown as they are; elsewhere it changes nothing."""

    def problems(self) -> Iterator[str]:
        """Yield a message if training is to stop by a score that chooses nothing."""
        if self.keep == "last" and self.patience is not None:
            yield "patience needs keep='best': the last epoch is kept whatever its score"

    def rate_at(self, epoch: int, step: int, steps: int) -> float:
        """Return the learning rate of a step of an epoch that has `steps` steps."""
        if self.schedule == "exponential":
            return self.learning_rate * self.decay**epoch
        # The first step must not have the rate zero: what counts is how far training will have come after it.
        return self.learning_rate * cosine_factor((epoch + (step + 1) / steps) / self.epochs)


class Trainer:
    """Trains an encoder on prepared data; the held-out words choose the best epoch."""

    def __init__(
        self,
        recipe: RecipeConfig,
        data: TrainingData,
        encoder: Encoder,
        *,
        run: RunContext,
        fingerprint: str,
        device: str = "cpu",
    ) -> None:
        config = recipe.training
        self.device = pick_device(device)
        self.encoder, self.config, self.data = encoder.to(self.device), config, data
        self.targets = torch.from_numpy(data.targets).to(self.device)
        self.loss: Loss = registry.losses.get(recipe.loss.name)
        self.loss_options = recipe.loss.options
        self.examples = Examples(
            data.words,
            data.units,
            recipe.augmentation,
            synonyms=data.synonyms,
            negatives=data.negatives,
            negatives_per_word=recipe.negatives.per_word,
            seed=config.seed,
            show_negatives=recipe.negatives.shown,
            frequency_power=config.frequency_power,
        )
        self.steps = -(-len(data.words) // config.anchors)
        self._coming: Iterator[tuple[Tensor, Tensor]] | None = None
        self._words_seen = 0
        self.shown = self._shown_words(recipe)
        is_captured = config.captured and self.shown is not None
        optimiser = (CapturableAdam if is_captured else RowwiseAdam)(self.encoder, config.learning_rate)
        self.loop = TrainingLoop(
            self.encoder,
            optimiser,
            epochs=config.epochs,
            batches=self._batches,
            steps=self.steps,
            loss=self._loss,
            learning_rate=config.rate_at,
            seed=config.seed,
            evaluate=lambda: {"held_out_cosine": self.held_out_cosine()},
            best="held_out_cosine" if config.keep == "best" else None,
            patience=config.patience,
            hooks=[EpochReport(self._report)],
            run=run,
            fingerprint=fingerprint,
            take_step=CapturedSteps(self.encoder, optimiser, self._loss) if is_captured else None,
        )

    def _shown_words(self, recipe: RecipeConfig) -> ShownWords | None:
        """Return the words on the GPU, if they are always shown as they are; None if batches are drawn elsewhere."""
        shares = {name for name, share in recipe.augmentation.shares.items() if share}
        drawn = shares != {UNCHANGED} or recipe.negatives.per_word or self.config.frequency_power
        if drawn or self.device.type != "cuda":
            return None
        return ShownWords(self.data.words, self.data.units, seed=self.config.seed, device=self.device)

    def run(self) -> bool:
        """Train to the end, and return whether it was reached."""
        try:
            return self.loop.run()
        finally:
            self._coming = None  # ends the processes that make batches ahead now, not when memory is tidied up

    def _batches(self, epoch: int, first_step: int) -> Iterator[tuple[Tensor, Tensor]]:
        for batch in self._drawn(epoch, first_step):
            self._words_seen += len(batch[1])
            yield batch

    def _drawn(self, epoch: int, first_step: int) -> Iterator[tuple[Tensor, Tensor]]:
        if self.shown is not None:
            return self.shown.batches(self.config.anchors, epoch, first_step)
        if self._coming is None:  # one iterator for all epochs: those who make batches ahead never pause
            steps = [(number, step) for number in range(epoch, self.config.epochs) for step in range(self.steps)]
            self._coming = batches(self.examples, self.config.anchors, steps[first_step:], self.config.workers)
        return islice(self._coming, self.steps - first_step)

    def _loss(self, batch: tuple[Tensor, Tensor]) -> Tensor:
        rows, ids = batch
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
            for first in range(0, len(self.data.held_out_words), 1024):
                words = self.data.held_out_words[first : first + 1024]
                ids = torch.from_numpy(self.data.units.batch(words).sequences.padded())
                outputs.append(self.encoder(ids.to(self.device, torch.int64)).float().cpu())
        return float(F.cosine_similarity(torch.cat(outputs), torch.from_numpy(self.data.held_out_targets)).mean())

    def _autocast(self) -> AbstractContextManager[object]:
        precision = self.config.precision
        if precision == "auto":
            precision = "bfloat16" if self.device.type == "cuda" and torch.cuda.is_bf16_supported() else "float32"
        return torch.autocast(self.device.type, torch.bfloat16) if precision == "bfloat16" else nullcontext()
