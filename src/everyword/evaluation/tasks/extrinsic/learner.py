"""Train and score a network on top of word vectors: what all extrinsic tasks share."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Generic, Literal

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config
from everyword.arrays import IndexArray
from everyword.config import Count, Natural, Positive
from everyword.corpus.labelled.sets import D, check, labels_of
from everyword.errors import InputError
from everyword.learning.batching import by_length, pad, shuffled
from everyword.learning.hooks import GradientClipping, Hook
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import Optimiser, TorchOptimiser
from everyword.learning.word_vectors import WordVectors

NOT_IN_FINGERPRINT = ("rates", "seeds", "seed", "device")
"""Settings that decide which models are trained and where, but not their scores."""


@dataclass(frozen=True)
class LearnerConfig:
    """How networks are trained, and how many."""

    epochs: Count = 5
    batch: Count = 50
    optimiser: Literal["adam", "sgd"] = "adam"
    clip: Positive = 5.0
    """The largest norm of a gradient."""
    rates: tuple[Positive, ...] = (5e-3, 3e-3, 1e-3, 8e-4, 5e-4)
    """Learning rates; the one with the best score on dev is used."""
    seeds: Count = 3
    """How many models are trained at that rate and scored on test."""
    seed: Natural = 0
    """The first of the seeds."""
    patience: Count | None = None
    """Training stops after this many epochs without a better score on dev."""
    device: str = "cpu"

    def problems(self) -> list[str]:
        return [] if self.rates else ["rates must have one rate or more. Got none"]


@dataclass
class TrainedNetwork:
    """A trained network, with the weights of the best epoch on dev."""

    network: nn.Module
    rate: float
    seed: int
    dev: float
    """The main score on dev, in percent."""
    epoch: int
    """The epoch of these weights, from 1."""
    seconds: float
    losses: list[float] = field(default_factory=list)


class Learner(ABC, Generic[D]):
    """A task with its training data. Each `fit` starts from a fresh network and depends only on rate and seed."""

    main: str
    """The score by which rates and epochs are chosen."""

    def __init__(self, words: WordVectors, train: D, dev: D, learning: LearnerConfig) -> None:
        config.check(learning)
        self.labels = check(train, [dev])
        self.id_of = {label: number for number, label in enumerate(self.labels)}
        self.words, self.learning = words, learning
        self.train: D = train
        self.dev: D = dev
        if len(words) > 1:
            raise ValueError("A learner needs word vectors of its own: their first rows are the words of train.")
        self.train_rows = words.rows(train.tokens)
        self.trained_rows = len(words)
        """The rows of words in train are below this."""
        if words.dim and not words.vectors.any():
            raise InputError(f"No word of {train.name!r} has a vector; are they vectors of another language?")
        self.train_targets = self._targets(train)

    @abstractmethod
    def network(self) -> nn.Module:
        """Return a network with fresh weights."""

    @abstractmethod
    def loss(self, network: nn.Module, rows: Tensor, lengths: Tensor, targets: Sequence[IndexArray]) -> Tensor:
        """Return the loss of a batch."""

    @abstractmethod
    def predict(self, network: nn.Module, rows: Tensor, lengths: Tensor) -> list[list[int]]:
        """Return the label ids of each item of a batch."""

    @abstractmethod
    def scores(self, data: D, predicted: Sequence[Sequence[str]]) -> dict[str, float]:
        """Return scores in percent, over all items together."""

    @abstractmethod
    def describe(self) -> Mapping[str, Any]:
        """Return the configuration as plain values, with the `LearnerConfig` under "learning"."""

    def hooks(self, network: nn.Module, optimiser: Optimiser) -> list[Hook]:
        """Return what is added to the training of a network."""
        return [GradientClipping(network, self.learning.clip)]

    def fit(self, rate: float, seed: int) -> TrainedNetwork:
        """Train a fresh network. The caller's random numbers are left as they were."""
        start, chosen = perf_counter(), self.learning
        lengths = np.array([len(row) for row in self.train_rows])
        rng = np.random.default_rng(seed)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            network = self.network().to(chosen.device)
            kind = torch.optim.SGD if chosen.optimiser == "sgd" else torch.optim.Adam
            optimiser = TorchOptimiser(kind(network.parameters(), lr=rate))
            loop = TrainingLoop(
                network,
                optimiser,
                epochs=chosen.epochs,
                batches=lambda _epoch, _first_step: shuffled(lengths, chosen.batch, rng),
                loss=lambda indices: self._loss(network, indices),
                evaluate=lambda: {"dev": self.score(network, self.dev)[self.main]},
                best="dev",
                patience=chosen.patience,
                hooks=self.hooks(network, optimiser),
            )
            loop.run()
        losses = [report["loss"] for report in loop.history]
        dev, epoch = loop.progress.best_score, loop.progress.best_epoch + 1
        return TrainedNetwork(network, rate, seed, dev, epoch, seconds=perf_counter() - start, losses=losses)

    def score(self, network: nn.Module, data: D) -> dict[str, float]:
        """Score a trained network on data with the labels of train."""
        return self.scores(data, self.predictions(network, data))

    def predictions(self, network: nn.Module, data: D) -> list[list[str]]:
        """Return the predicted labels of each item, in the order of the data."""
        rows = self.words.rows(data.tokens)
        found: list[list[str]] = [[] for _ in rows]
        network.eval()
        for indices in by_length(np.array([len(row) for row in rows])):
            padded, lengths = self._batch(rows, indices)
            with torch.no_grad():
                predicted = self.predict(network, padded, lengths)
            for index, ids in zip(indices, predicted, strict=True):
                found[index] = [self.labels[number] for number in ids]
        return found

    def fingerprint(self, tests: Sequence[D]) -> str:
        """Return a checksum of configuration, data and vectors: all that decides the scores of a rate and a seed."""
        described = dict(self.describe())
        described["learning"] = {
            key: value for key, value in described["learning"].items() if key not in NOT_IN_FINGERPRINT
        }
        digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
        for data in (self.train, self.dev, *tests):
            rows = np.concatenate(self.words.rows(data.tokens))
            digest.update(json.dumps([data.tokens, labels_of(data)]).encode("utf-8", "surrogatepass"))
            digest.update(self.words.vectors.numpy()[np.unique(rows)].tobytes())
        return digest.hexdigest()

    def _targets(self, data: D) -> list[IndexArray]:
        return [np.array([self.id_of[label] for label in labels], dtype=np.int64) for labels in labels_of(data)]

    def _batch(self, rows: Sequence[IndexArray], indices: IndexArray) -> tuple[Tensor, Tensor]:
        padded, lengths = pad([rows[index] for index in indices])
        return padded.to(self.learning.device), lengths.to(self.learning.device)

    def _loss(self, network: nn.Module, indices: IndexArray) -> Tensor:
        rows, lengths = self._batch(self.train_rows, indices)
        return self.loss(network, rows, lengths, [self.train_targets[index] for index in indices])
