"""Train a table of context vectors, from an encoder and a prepared corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import torch

from everyword import config
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import prefetch
from everyword.learning.checkpoint import TrainingLog
from everyword.learning.device import fast_products
from everyword.learning.hooks import EpochReport, Report
from everyword.learning.loop import CHECKPOINT, LOG, RunContext, TrainingLoop, mixed_seed
from everyword.learning.optimisers import RowOptimiser
from everyword.learning.processes import Processes
from everyword.systems.skipgram.cached import CachedTrainer
from everyword.systems.skipgram.config import EARLIER, SkipgramConfig
from everyword.systems.skipgram.network import (
    ContextTable,
    attention,
    band,
    centre_states,
    products_in_sentences,
    skipgram_loss,
)
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import Batch, BatchSampler, StepRandom, WordSampler
from everyword.systems.skipgram.state_cache import StateCache, cached_states
from everyword.systems.skipgram.states import measure_states
from everyword.vectors.table import VectorTable

LAST_RATE = 1e-4
"""The share of the learning rate that is left at the end."""


@dataclass(frozen=True)
class SkipgramRun:
    """Corpus, settings and run folder of a training."""

    prepared: PreparedCorpus
    folder: Path
    """Holds checkpoints and the log."""
    config: SkipgramConfig = field(default_factory=SkipgramConfig)
    resume: bool = False
    show_progress: bool = False
    processes: Processes = field(default_factory=Processes)


def train_skipgram(model: LanguageModel, run: SkipgramRun) -> VectorTable | None:
    """Train a table of context vectors.

    Args:
        model: The encoder that reads the centre words, which is not changed.
        run: Corpus, settings and run folder.

    Returns:
        The table, or None after Ctrl-C; the same run with `resume` then ends with the same table.

    Raises:
        InputError: If the corpus was prepared for another tokenizer, or another training is resumed.
    """
    training = SkipgramTraining(model, run)
    return training.table() if training.train() else None


class SkipgramTraining:
    """A table, its data, and the loop that trains it; a resumed one has the weights of its checkpoint."""

    def __init__(self, model: LanguageModel, run: SkipgramRun) -> None:
        run.prepared.check_encoder(model)
        if run.config.cache_states and run.processes.count > 1:
            raise InputError("cache_states goes with one process; start the training without torchrun.")
        model.check_layers(run.config.layers)
        self.model, self.run, self.config = model, run, run.config
        vocabulary = run.prepared.vocabulary
        self.network = ContextTable(
            len(vocabulary.words),
            model.dim,
            run.config.dim,
            seed=run.config.seed,
            sparse=model.device.type == "cpu" and not run.config.cache_states,
        ).to(model.device)
        if run.config.states != "raw":
            self.network.standardise(*self._measured_states())
        self.word_sampler = WordSampler(
            vocabulary.counts, power=run.config.power, subsample=run.config.subsample, device=model.device
        )
        padding = model.tokenizer.pad_token_id or 0
        self.sampler = BatchSampler(run.prepared, run.config.batch, run.config.seed, padding)
        self._sentences_seen = 0
        self.loop = TrainingLoop(
            self.network,
            RowOptimiser(self.network, run.config.rule, run.config.rate, run.config.clip),
            epochs=run.config.epochs,
            batches=self.batches,
            steps=self.sampler.steps,
            loss=self.loss,
            learning_rate=self._rate,
            hooks=[EpochReport(self._report)],
            run=RunContext(run.folder, run.resume, run.show_progress, run.processes),
            fingerprint=self.fingerprint,
            checkpoint_steps=run.config.checkpoint_steps,
        )
        self.loop.start()

    def _measured_states(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return mean and spread of the encoder's outputs; a checkpoint that is about to be loaded replaces them."""
        if self.run.resume and (self.run.folder / CHECKPOINT).exists():
            return torch.zeros(self.model.dim), torch.ones(self.model.dim)
        cache = self._cache() if self.config.cache_states else None
        mean, spread = measure_states(self.model, self.run.prepared, self.config.layers, cache)
        return mean, spread if self.config.states == "standardised" else torch.ones_like(spread)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of all that decides the numbers of this training, which `checkpoint_steps` does not."""
        settings = config.to_dict(self.config) | {"checkpoint_steps": None}
        settings = {key: value for key, value in settings.items() if key not in EARLIER or value != EARLIER[key]}
        prepared = self.run.prepared
        return fingerprint([settings, prepared.fingerprint, prepared.sizes, self.model.weights_fingerprint()])

    @property
    def done(self) -> int:
        """Steps so far, over all epochs."""
        return self.loop.progress.epoch * self.sampler.steps + self.loop.progress.step

    def train(self) -> bool:
        """Train to the end, or until Ctrl-C, and return whether it is the end."""
        with fast_products(self.model.device):
            return self._train_on_cache() if self.config.cache_states else self.loop.run()

    def cached_trainer(self) -> CachedTrainer:
        """Return what trains the network on cached outputs; the encoder reads the corpus now, unless it just has."""
        return CachedTrainer(self.network, self._cache(), self.run.prepared, self.config)

    def _cache(self) -> StateCache:
        run = self.run
        return cached_states(self.model, run.prepared, self.config.layers, show_progress=run.show_progress)

    def _train_on_cache(self) -> bool:
        """Train on cached outputs; such a training is not resumed in between, only once it is over."""
        progress, log = self.loop.progress, TrainingLog(self.run.folder / LOG)
        if progress.epoch < self.config.epochs:
            trainer = self.cached_trainer()
            for number in range(self.config.epochs):
                log.write(trainer.epoch(number))
            progress.epoch = self.config.epochs
            self.loop.save()
        return True

    def batches(self, epoch: int, first_step: int) -> Iterable[Batch]:
        """Return this process's share of the batches of an epoch; the next is made while one is in use."""
        processes = self.run.processes
        share = {"rank": processes.rank, "count": processes.count}
        return prefetch(self.sampler.epoch(epoch, first_step, **share, send=self.model.to_device))

    def _rate(self, epoch: int, step: int, steps: int) -> float:
        return self.config.rate * max(1 - (epoch * steps + step) / (self.config.epochs * steps), LAST_RATE)

    def loss(self, batch: Batch) -> torch.Tensor | None:
        """Return the loss of a batch, summed over its centres."""
        self._sentences_seen += batch.total
        if not len(batch.rows):
            return None
        states = centre_states(self.model, batch, self.config.layers)
        chosen, random = self.config, self._random(batch)
        mask = band(batch.rows, chosen.window, own_word=chosen.own_word)
        if self.word_sampler.drops:
            mask &= self.word_sampler.kept(batch.rows, random)[:, None, :]
        negatives = self.word_sampler.words(random.shared(chosen.shared_negatives))
        mask = mask.flatten(0, 1)[batch.centres]
        words, drawn = self.network.vectors(batch.rows.clamp(min=0), negatives)
        projected = self.network.project(states)
        products = products_in_sentences(projected, batch.centres, words)
        share = torch.tensor(chosen.negatives / chosen.shared_negatives, device=products.device)
        return skipgram_loss(products, mask, projected @ drawn.T, share, self._weights(products, mask))

    def _weights(self, products: torch.Tensor, mask: torch.Tensor) -> torch.Tensor | None:
        if self.config.weighing == "each":
            return None
        weights = attention(products, mask, self.config.weighing, self.config.dim)
        return weights.detach() if self.config.stop_gradient else weights

    def _random(self, batch: Batch) -> StepRandom:
        generator = torch.Generator(self.model.device).manual_seed(mixed_seed(self.config.seed, self.done))
        processes, longest = self.run.processes, self.run.prepared.longest
        return StepRandom(generator, batch.total, longest, processes.rank, processes.count)

    def table(self) -> VectorTable:
        """Return the context vectors as they are now."""
        vectors = self.centred(self.network.table.weight.detach())
        return VectorTable.from_checked(self.run.prepared.vocabulary.words, vectors.cpu().numpy().copy())

    @property
    def states(self) -> dict[str, list[float]]:
        """Mean and spread of the encoder's outputs that the projection starts from; nothing if they are raw."""
        network = self.network
        if network.mean is None or network.spread is None:
            return {}
        return {"mean": network.mean.tolist(), "spread": network.spread.tolist()}

    def centred(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return vectors without the mean of all rows of the table, if the configuration asks for that."""
        return vectors - self.network.table.weight.detach().mean(dim=0) if self.config.centred else vectors

    def _report(self, report: Report) -> None:
        report["loss"] = self.loop.progress.loss_sum / sum(self.run.prepared.sizes)
        report["sentences_per_second"] = round(self._sentences_seen / max(report["seconds"], 1e-9))
        self._sentences_seen = 0
