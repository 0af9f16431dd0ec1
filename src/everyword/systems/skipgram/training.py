"""The training of a table, step by step: resumable from any of them, alone or in several processes."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from everyword import config
from everyword.extras import require
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import prefetch
from everyword.learning.checkpoint import Progress, load_checkpoint, save_checkpoint
from everyword.learning.log import TrainingLog
from everyword.learning.processes import Processes
from everyword.systems.skipgram.batches import Batch, BatchSampler
from everyword.systems.skipgram.config import SkipgramConfig
from everyword.systems.skipgram.network import (
    ContextTable,
    band,
    centre_states,
    products_in_sentences,
    products_with,
    skipgram_loss,
)
from everyword.systems.skipgram.optimisers import RowOptimiser
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import StepRandom, WordSampler, windows
from everyword.vectors.table import VectorTable

CHECKPOINT, LOG = "checkpoint.safetensors", "log.jsonl"
LAST_RATE = 1e-4
"""What is left of the learning rate at the end, as a share."""


@dataclass(frozen=True)
class SkipgramRun:
    """A prepared corpus, how a table learns from it, and where the state of that is kept."""

    prepared: PreparedCorpus
    folder: Path
    config: SkipgramConfig = field(default_factory=SkipgramConfig)
    resume: bool = False
    show_progress: bool = False
    processes: Processes = field(default_factory=Processes)


class Training:
    """The network and how far it has come. What happens in a step depends on its number and the seed only."""

    def __init__(self, model: LanguageModel, run: SkipgramRun) -> None:
        run.prepared.check_encoder(model)
        model.check_layers(run.config.layers)
        self.model, self.run, self.config = model, run, run.config
        vocabulary = run.prepared.vocabulary
        self.network = ContextTable(
            len(vocabulary.words),
            model.dim,
            run.config.dim,
            seed=run.config.seed,
            sparse=model.device.type == "cpu",
        ).to(model.device)
        self.rule = RowOptimiser(self.network, run.config.rule, run.config.clip)
        self.word_sampler = WordSampler(
            vocabulary.counts, power=run.config.power, subsample=run.config.subsample, device=model.device
        )
        padding = model.tokenizer.pad_token_id or 0
        self.sampler = BatchSampler(run.prepared, run.config.batch, run.config.seed, padding)
        self.progress = Progress()
        self._loss = torch.zeros((), dtype=torch.float64, device=model.device)
        """On the device: to ask for a number at every step would stop a GPU."""
        run.folder.mkdir(parents=True, exist_ok=True)
        if run.resume and (run.folder / CHECKPOINT).exists():
            self._restore()
        if run.processes.first:
            if not run.resume:  # what an earlier run left must not be taken for this one's
                (run.folder / CHECKPOINT).unlink(missing_ok=True)
            self.log = TrainingLog(run.folder / LOG, fresh=not run.resume)
        # This also waits: the first process must not write what another has yet to read.
        run.processes.share_weights(self.network)

    @cached_property
    def stamp(self) -> str:
        """What decides the numbers of this training; how often its state is kept does not."""
        told = config.to_dict(self.config) | {"checkpoint_steps": None}
        marks = [told, self.run.prepared.fingerprint, self.run.prepared.sizes, self.model.weights_fingerprint()]
        return hashlib.sha256(json.dumps(marks, sort_keys=True).encode()).hexdigest()

    def steps(self) -> Iterator[int]:
        """Train step by step and tell the number of each; the state is kept now and then, and after each epoch."""
        while self.progress.epoch < self.config.epochs:
            started, first = time.perf_counter(), self.progress.step
            with self._bar() as bar:
                for batch in self.coming():
                    self._step(batch)
                    self.progress.step += 1
                    bar.update()
                    yield self.done
                    if self.progress.step % self.config.checkpoint_steps == 0:
                        self.save()
            self._end_epoch(time.perf_counter() - started, self.progress.step - first)

    @property
    def done(self) -> int:
        """Steps so far, over all epochs."""
        return self.progress.epoch * self.sampler.steps + self.progress.step

    def coming(self) -> Iterator[Batch]:
        """The rest of the epoch, or what is for this process of it; the next batch is made while one is in use."""
        processes, progress = self.run.processes, self.progress
        batches = self.sampler.epoch(
            progress.epoch, progress.step, rank=processes.rank, count=processes.count, send=self.model.sent
        )
        return prefetch(batches)

    def _step(self, batch: Batch) -> None:
        if len(batch.rows):
            loss = self.loss(batch, centre_states(self.model, batch, self.config.layers))
            loss.backward()  # type: ignore[no-untyped-call]
            self._loss += loss.detach()
        self.run.processes.sum_gradients(self.network)
        share = 1 - self.done / (self.config.epochs * self.sampler.steps)
        self.rule.step(self.config.rate * max(share, LAST_RATE))

    def loss(self, batch: Batch, states: torch.Tensor) -> torch.Tensor:
        """The loss of a batch, summed over its centres, from what the encoder says of them."""
        chosen, random = self.config, self._random(batch)
        mask = band(batch.rows, chosen.window, own_word=chosen.own_word)
        if self.word_sampler.drops:
            mask &= self.word_sampler.kept(batch.rows, random)[:, None, :]
        context = windows(batch.rows, chosen.window, own_word=chosen.own_word)
        negatives, allowed = self.word_sampler.negatives(context, chosen.negatives, random)
        mask, negatives, allowed = (square.flatten(0, 1)[batch.centres] for square in (mask, negatives, allowed))
        words, drawn = self.network.vectors(batch.rows.clamp(min=0), negatives)
        projected = self.network.project(states)
        products = products_in_sentences(projected, batch.centres, words)
        return skipgram_loss(products, mask, products_with(projected, drawn), allowed, chosen.weighing)

    def _random(self, batch: Batch) -> StepRandom:
        seed = int(np.random.SeedSequence([self.config.seed, self.done]).generate_state(1)[0])
        generator = torch.Generator(self.model.device).manual_seed(seed)
        processes, longest = self.run.processes, self.run.prepared.longest
        return StepRandom(generator, batch.total, longest, processes.rank, processes.count)

    def table(self) -> VectorTable:
        """The context vectors as they are now."""
        vectors = self.centred(self.network.table.weight.detach())
        return VectorTable.from_checked(self.run.prepared.vocabulary.words, vectors.cpu().numpy().copy())

    def centred(self, vectors: torch.Tensor) -> torch.Tensor:
        """Without what all rows of the table share, if that is wanted."""
        return vectors - self.network.table.weight.detach().mean(dim=0) if self.config.centred else vectors

    def save(self) -> None:
        """Keep all that is needed to go on."""
        self._gather_loss()
        if self.run.processes.first:
            groups = {"network": dict(self.network.state_dict()), "rule": self.rule.state()}
            save_checkpoint(self.run.folder / CHECKPOINT, groups, self.progress, self.stamp)

    def _restore(self) -> None:
        groups, self.progress = load_checkpoint(self.run.folder / CHECKPOINT, self.stamp)
        self.network.load_state_dict(groups["network"])
        self.rule.load_state(groups.get("rule", {}))

    def _gather_loss(self) -> None:
        [loss] = self.run.processes.sums([float(self._loss)])
        self.progress.loss_sum += loss
        self._loss.zero_()

    def _end_epoch(self, seconds: float, steps: int) -> None:
        self._gather_loss()
        progress, sentences = self.progress, sum(self.run.prepared.sizes)
        if self.run.processes.first:
            self.log.write(
                epoch=progress.epoch + 1,
                loss=round(progress.loss_sum / sentences, 6),
                seconds=round(seconds, 2),
                sentences_per_second=round(sentences * steps / self.sampler.steps / max(seconds, 1e-9)),
            )
        progress.epoch, progress.step, progress.loss_sum = progress.epoch + 1, 0, 0.0
        self.save()

    def _bar(self) -> Any:
        return require("tqdm", "The progress bar of training").tqdm(
            desc=f"epoch {self.progress.epoch + 1}/{self.config.epochs}",
            total=self.sampler.steps,
            initial=self.progress.step,
            disable=not (self.run.show_progress and self.run.processes.first),
            unit="batch",
        )
