"""Networks that read labels of words from frozen vectors: one hidden layer, or a recurrent one from left to right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, Positive
from everyword.evaluation.probes.labelled_words import LabelledWords
from everyword.learning.batching import shuffled
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser

ACCURACY = "accuracy"
ROWS_AT_ONCE = 8192
IGNORED = -100
"""Marks words of padding, and labels that train lacks."""


@dataclass(frozen=True)
class MlpConfig:
    """Size and training of a probe of single words."""

    hidden: Count = 500
    learning_rate: Positive = 1e-3
    batch: Count = 256
    epochs: Count = 50
    patience: Count = 10
    """Stop after this many epochs without a better accuracy on dev."""
    restarts: Count = 20
    """How many networks are trained, each from other random weights and in another order."""
    seed: int = 0
    device: str = "cpu"


@dataclass(frozen=True)
class MlpProbe:
    """Networks with one hidden layer; each sees one vector at a time."""

    config: MlpConfig = field(default_factory=MlpConfig)
    report: Callable[[str], object] = lambda line: None
    """Called with a line after each restart."""

    def __call__(self, data: LabelledWords, vectors: FloatArray) -> list[list[str]]:
        """Return the labels of the test words, once per restart."""
        names, numbers = _numbered(data)
        scaled = torch.from_numpy(_scaled(data, vectors)).to(self.config.device)
        parts = {
            split: _Words(scaled[torch.from_numpy(data.rows(split))], numbers[split].to(self.config.device))
            for split in data.splits
        }
        return [[names[number] for number in found.tolist()] for found in self._restarts(parts, len(names))]

    def _restarts(self, parts: Mapping[str, _Words], labels: int) -> Iterator[Tensor]:
        for restart in range(self.config.restarts):
            torch.manual_seed(seed_of(self.config, restart))
            network = nn.Sequential(
                nn.Linear(parts["train"].inputs.shape[1], self.config.hidden),
                nn.ReLU(),
                nn.Linear(self.config.hidden, labels),
            ).to(self.config.device)
            _train(network, self.config, restart, parts["train"], parts["dev"])
            self.report(f"restart {restart + 1} of {self.config.restarts}")
            yield parts["test"].best(network)


@dataclass(frozen=True)
class _Words:
    """The words of a split: vectors and numbers of labels."""

    inputs: Tensor
    gold: Tensor

    def batches(self, size: int, rng: np.random.Generator) -> list[Tensor]:
        """Return the rows of an epoch."""
        return list(torch.split(torch.from_numpy(rng.permutation(len(self.gold))).to(self.gold.device), size))

    def loss(self, network: nn.Module, rows: Tensor) -> Tensor:
        """Return the loss of some rows."""
        return F.cross_entropy(network(self.inputs[rows]), self.gold[rows])

    @torch.inference_mode()
    def best(self, network: nn.Module) -> Tensor:
        """Return the likeliest label of each word."""
        return torch.cat([network(part).argmax(dim=1) for part in torch.split(self.inputs, ROWS_AT_ONCE)])


@dataclass(frozen=True)
class RecurrentConfig:
    """Size and training of a network that reads sentences from left to right."""

    hidden: Count = 500
    layers: Count = 1
    learning_rate: Positive = 1e-3
    batch: Count = 32
    """Sentences."""
    epochs: Count = 30
    patience: Count = 10
    restarts: Count = 10
    seed: int = 0
    device: str = "cpu"


class LeftToRight(nn.Module):
    """An LSTM that has read a word and all words before it, and a layer that says the label."""

    def __init__(self, config: RecurrentConfig, *, dim: int, labels: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dim, config.hidden, config.layers, batch_first=True)
        self.output = nn.Linear(config.hidden, labels)

    def forward(self, words: Tensor) -> Tensor:
        """Return the logits of labels for each word of padded sentences."""
        states, _ = self.lstm(words)
        logits: Tensor = self.output(states)
        return logits


@dataclass(frozen=True)
class RecurrentProbe:
    """Networks that learn the labels directly, with all words of a sentence up to the one in question."""

    config: RecurrentConfig = field(default_factory=RecurrentConfig)
    report: Callable[[str], object] = lambda line: None

    def __call__(self, data: LabelledWords, vectors: FloatArray) -> list[list[str]]:
        """Return the labels of the test words, once per restart."""
        names, numbers = _numbered(data)
        scaled = torch.from_numpy(_scaled(data, vectors)).to(self.config.device)
        parts = {split: _Sentences(data, split, scaled, numbers[split]) for split in data.splits}
        return [[names[number] for number in found.tolist()] for found in self._restarts(parts, len(names))]

    def _restarts(self, parts: Mapping[str, _Sentences], labels: int) -> Iterator[Tensor]:
        for restart in range(self.config.restarts):
            torch.manual_seed(seed_of(self.config, restart))
            dim = parts["train"].vectors.shape[1]
            network = LeftToRight(self.config, dim=dim, labels=labels).to(self.config.device)
            _train(network, self.config, restart, parts["train"], parts["dev"])
            self.report(f"restart {restart + 1} of {self.config.restarts}")
            yield parts["test"].best(network)


class _Sentences:
    """The sentences of a split: rows of vectors and numbers of labels."""

    def __init__(self, data: LabelledWords, split: str, vectors: Tensor, gold: Tensor) -> None:
        some = np.asarray(data.splits[split])
        self.first, self.lengths = data.starts[some], np.diff(data.starts)[some]
        self.vectors, self.gold = vectors, gold.to(vectors.device)
        self.places = np.concatenate([[0], np.cumsum(self.lengths)])

    def batches(self, size: int, rng: np.random.Generator) -> list[IndexArray]:
        """Return the sentences of an epoch."""
        return shuffled(self.lengths, size, rng)

    def loss(self, network: nn.Module, rows: IndexArray) -> Tensor:
        """Return the loss of some sentences."""
        words, gold = self.padded(rows)
        return F.cross_entropy(network(words).flatten(0, 1), gold.flatten(), ignore_index=IGNORED)

    def padded(self, rows: IndexArray) -> tuple[Tensor, Tensor]:
        """Return the vectors and labels of sentences, filled up at the end."""
        steps = np.arange(int(self.lengths[rows].max()))
        mask = steps < self.lengths[rows][:, None]
        words = np.where(mask, self.first[rows][:, None] + steps, 0)
        places = np.where(mask, self.places[rows][:, None] + steps, 0)
        keep = torch.from_numpy(mask).to(self.vectors.device)
        gold = self.gold[torch.from_numpy(places)].masked_fill(~keep, IGNORED)
        return self.vectors[torch.from_numpy(words)] * keep[..., None], gold

    @torch.inference_mode()
    def best(self, network: nn.Module) -> Tensor:
        """Return the likeliest label of each word."""
        found = torch.empty(len(self.gold), dtype=torch.long, device=self.gold.device)
        for start in range(0, len(self.lengths), 64):
            rows = np.arange(start, min(start + 64, len(self.lengths)))
            labels = network(self.padded(rows)[0]).argmax(dim=2)
            for row, some in zip(rows.tolist(), labels, strict=True):
                found[self.places[row] : self.places[row + 1]] = some[: self.lengths[row]]
        return found


def _numbered(data: LabelledWords) -> tuple[list[str], dict[str, Tensor]]:
    """Return the labels of train, and the numbers of the labels of all words by split."""
    names = sorted(set(data.gold("train")))
    number = {label: place for place, label in enumerate(names)}
    return names, {
        split: torch.tensor([number.get(label, IGNORED) for label in data.gold(split)]) for split in data.splits
    }


def _scaled(data: LabelledWords, vectors: FloatArray) -> FloatArray:
    """Return vectors centred and with a mean variance of 1 on the words of train."""
    train = vectors[data.rows("train")]
    centred: FloatArray = (vectors - train.mean(axis=0)).astype(np.float32)
    spread = float(train.std(axis=0).mean())
    return centred / np.float32(spread if spread > 0 else 1.0)


def seed_of(config: MlpConfig | RecurrentConfig, restart: int) -> int:
    """Return the seed of a restart."""
    return 1000 * config.seed + restart


def _train(
    network: nn.Module,
    config: MlpConfig | RecurrentConfig,
    restart: int,
    train: _Words | _Sentences,
    dev: _Words | _Sentences,
) -> None:
    seed = seed_of(config, restart)
    TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters(), lr=config.learning_rate)),
        epochs=config.epochs,
        batches=lambda epoch, first: train.batches(config.batch, np.random.default_rng([seed, epoch]))[first:],
        loss=lambda rows: train.loss(network, rows),
        seed=seed,
        evaluate=lambda: {ACCURACY: 100 * float((dev.best(network) == dev.gold).float().mean())},
        best=ACCURACY,
        patience=config.patience,
    ).run()
