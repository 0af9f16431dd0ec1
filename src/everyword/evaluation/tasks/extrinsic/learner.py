"""One way to train and score a network on top of word vectors, shared by all extrinsic tasks."""

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

from everyword.arrays import IndexArray
from everyword.errors import ConfigError, InputError
from everyword.evaluation.tasks.extrinsic.splits import D, check, labels_of
from everyword.learning.batching import by_length, pad, shuffled
from everyword.learning.hooks import GradientClipping
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.word_vectors import WordVectors

NO_MATTER = ("rates", "seeds", "seed", "device")
"""What decides which models are trained or where, but not what becomes of one."""


@dataclass(frozen=True)
class LearnerConfig:
    """How a task is learnt, and how often."""

    epochs: int = 5
    batch: int = 50
    optimiser: Literal["adam", "sgd"] = "adam"
    clip: float = 5.0
    """The largest norm of a gradient."""
    rates: tuple[float, ...] = (5e-3, 3e-3, 1e-3, 8e-4, 5e-4)
    """Learning rates; the one that does best on dev is used."""
    seeds: int = 3
    """How many models are trained at that rate and scored on test."""
    seed: int = 0
    """The first of the seeds."""
    device: str = "cpu"

    def problems(self) -> list[str]:
        """Values that cannot be."""
        least = {"epochs": self.epochs, "batch": self.batch, "seeds": self.seeds, "number of rates": len(self.rates)}
        wrong = [f"{name} must be 1 or more. Got {value} instead" for name, value in least.items() if value < 1]
        if any(rate <= 0 for rate in self.rates) or self.clip <= 0:
            wrong.append(f"rates and clip must be above 0. Got {self.rates} and {self.clip} instead")
        if self.seed < 0:
            wrong.append(f"seed must be 0 or more. Got {self.seed} instead")
        return wrong


@dataclass
class TrainedNetwork:
    """A trained network: the weights of the epoch that did best on dev."""

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
    """A task with its training data. Each `fit` starts from a fresh network and depends on rate and seed only."""

    main: str
    """The score by which rates and epochs are chosen."""

    def __init__(self, words: WordVectors, train: D, dev: D, learning: LearnerConfig) -> None:
        if problems := learning.problems():
            raise ConfigError("The configuration has problems: " + "; ".join(problems))
        self.labels = check(train, [dev])
        self.id_of = {label: number for number, label in enumerate(self.labels)}
        self.words, self.learning = words, learning
        self.train: D = train
        self.dev: D = dev
        if len(words) > 1:
            raise ValueError("A learner needs word vectors of its own: their first rows are the words of train.")
        self.train_rows = words.rows(train.tokens)
        self.trained_rows = len(words)
        """Rows below this belong to words of train."""
        if words.dim and not words.vectors.any():
            raise InputError(f"No word of {train.name!r} has a vector; are they vectors of another language?")
        self.train_targets = self._targets(train)

    @abstractmethod
    def network(self) -> nn.Module:
        """A network with fresh weights."""

    @abstractmethod
    def loss(self, network: nn.Module, rows: Tensor, lengths: Tensor, targets: Sequence[IndexArray]) -> Tensor:
        """The loss of a batch."""

    @abstractmethod
    def predict(self, network: nn.Module, rows: Tensor, lengths: Tensor) -> list[list[int]]:
        """Label ids for each item of a batch."""

    @abstractmethod
    def scores(self, data: D, predicted: Sequence[Sequence[str]]) -> dict[str, float]:
        """Scores in percent, over all items together."""

    @abstractmethod
    def describe(self) -> Mapping[str, Any]:
        """The configuration as plain values, that of learning under "learning"."""

    def fit(self, rate: float, seed: int) -> TrainedNetwork:
        """Train a fresh network. The caller's random numbers are left as they were."""
        start, chosen = perf_counter(), self.learning
        lengths = np.array([len(row) for row in self.train_rows])
        rng = np.random.default_rng(seed)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            network = self.network().to(chosen.device)
            kind = torch.optim.SGD if chosen.optimiser == "sgd" else torch.optim.Adam
            loop = TrainingLoop(
                network,
                TorchOptimiser(kind(network.parameters(), lr=rate)),
                epochs=chosen.epochs,
                batches=lambda _epoch, _first_step: shuffled(lengths, chosen.batch, rng),
                loss=lambda places: self._loss(network, places),
                evaluate=lambda: {"dev": self.score(network, self.dev)[self.main]},
                best="dev",
                hooks=[GradientClipping(network, chosen.clip)],
            )
            loop.run()
        losses = [report["loss"] for report in loop.history]
        dev, epoch = loop.progress.best_score, loop.progress.best_epoch + 1
        return TrainedNetwork(network, rate, seed, dev, epoch, seconds=perf_counter() - start, losses=losses)

    def score(self, network: nn.Module, data: D) -> dict[str, float]:
        """Score a trained network on data with the labels of train."""
        return self.scores(data, self.predictions(network, data))

    def predictions(self, network: nn.Module, data: D) -> list[list[str]]:
        """The predicted labels of each item, in the order of the data."""
        rows = self.words.rows(data.tokens)
        found: list[list[str]] = [[] for _ in rows]
        network.eval()
        for places in by_length(np.array([len(row) for row in rows])):
            padded, lengths = self._batch(rows, places)
            with torch.no_grad():
                predicted = self.predict(network, padded, lengths)
            for place, ids in zip(places, predicted, strict=True):
                found[place] = [self.labels[number] for number in ids]
        return found

    def fingerprint(self, tests: Sequence[D]) -> str:
        """A checksum of all that decides the scores of one rate and seed: configuration, data and vectors."""
        described = dict(self.describe())
        described["learning"] = {key: value for key, value in described["learning"].items() if key not in NO_MATTER}
        digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
        for data in (self.train, self.dev, *tests):
            rows = np.concatenate(self.words.rows(data.tokens))
            digest.update(json.dumps([data.tokens, labels_of(data)]).encode("utf-8", "surrogatepass"))
            digest.update(self.words.vectors.numpy()[np.unique(rows)].tobytes())
        return digest.hexdigest()

    def _targets(self, data: D) -> list[IndexArray]:
        return [np.array([self.id_of[label] for label in labels], dtype=np.int64) for labels in labels_of(data)]

    def _batch(self, rows: Sequence[IndexArray], places: IndexArray) -> tuple[Tensor, Tensor]:
        padded, lengths = pad([rows[place] for place in places])
        return padded.to(self.learning.device), lengths.to(self.learning.device)

    def _loss(self, network: nn.Module, places: IndexArray) -> Tensor:
        rows, lengths = self._batch(self.train_rows, places)
        return self.loss(network, rows, lengths, [self.train_targets[place] for place in places])
