"""Training of a classifier with attention, and its use: labels, attention and states of new texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.labelled.sets import Texts
from everyword.errors import InputError
from everyword.learning.batching import by_length, pad, shuffled
from everyword.learning.device import pick_device
from everyword.learning.hooks import GradientClipping
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.word_objectives import MaskedWords, Tying, WordObjective
from everyword.learning.word_vectors import WordVectors
from everyword.systems.classifiers.attention import AttentionConfig, AttentionNetwork, AttentionPass

UNKNOWN = ("",)
"""What a text without any words is read as."""


@dataclass(frozen=True)
class ReadText:
    """A text as a model with attention has read it."""

    weights: FloatArray
    """The attention of each word; they sum to 1."""
    token_scores: FloatArray
    """The scores of labels with all attention on one word, (words, labels)."""
    inputs: FloatArray
    """The vectors that the model got, (words, dim)."""
    states: FloatArray
    """The vectors that attention sums, (words, width)."""


class AttentionClassifier:
    """A network with the words and labels that it was trained on."""

    def __init__(
        self, network: AttentionNetwork, words: WordVectors, labels: Sequence[str], device: torch.device | str = "cpu"
    ) -> None:
        self.network, self.words, self.labels, self.device = network, words, tuple(labels), torch.device(device)

    def predict(self, texts: Sequence[Sequence[str]], weights: Sequence[FloatArray] | None = None) -> FloatArray:
        """Return the probability of each label, (texts, labels).

        Args:
            texts: Texts as words.
            weights: Attention to use instead of the network's own, an array per text.
        """
        found = np.zeros((len(texts), len(self.labels)), dtype=np.float32)
        for indices, _, passed in self._passes(texts, weights):
            found[indices] = passed.scores.softmax(dim=-1).cpu().numpy()
        return found

    def read(self, texts: Sequence[Sequence[str]]) -> list[ReadText]:
        """Return attention, scores and states of each word of texts."""
        found: dict[int, ReadText] = {}
        for indices, lengths, passed in self._passes(texts, None):
            parts = [part.cpu().numpy() for part in passed[1:]]
            weights, scores, states, inputs = parts
            for row, (index, length) in enumerate(zip(indices.tolist(), lengths.tolist(), strict=True)):
                found[index] = ReadText(*(part[row, :length] for part in (weights, scores, inputs, states)))
        return [found[index] for index in range(len(texts))]

    @torch.no_grad()
    def _passes(
        self, texts: Sequence[Sequence[str]], weights: Sequence[FloatArray] | None
    ) -> Iterator[tuple[IndexArray, Tensor, AttentionPass]]:
        rows = rows_of(self.words, texts, self.network.config.longest)
        self.network.eval()
        for indices in by_length(np.array([len(row) for row in rows])):
            padded, lengths = pad([rows[index] for index in indices])
            given = None if weights is None else self._padded([weights[index] for index in indices], lengths)
            yield indices, lengths, self.network(self.words.look_up(padded.to(self.device)), lengths, given)

    def _padded(self, weights: Sequence[FloatArray], lengths: Tensor) -> Tensor:
        filled = np.zeros((len(weights), int(lengths.max())), dtype=np.float32)
        for row, (own, length) in enumerate(zip(weights, lengths.tolist(), strict=True)):
            if len(own) != length:
                raise InputError(f"A text of {length} words needs as many weights. Got {len(own)}.")
            filled[row, :length] = own
        return torch.from_numpy(filled).to(self.device)


class AttentionReader:
    """A network with attention that reads rows of words, as objectives about words need it."""

    def __init__(self, network: AttentionNetwork, words: WordVectors) -> None:
        self.network, self.words = network, words

    def read(self, rows: Tensor, /) -> Tensor:
        """Return the vectors of rows."""
        return self.words.look_up(rows)

    def __call__(self, rows: Tensor, lengths: Tensor, inputs: Tensor | None = None) -> AttentionPass:
        """Read texts, or other vectors in place of theirs."""
        passed: AttentionPass = self.network(self.read(rows) if inputs is None else inputs, lengths)
        return passed


class AttentionTraining:
    """Texts, a network, and the loop that trains it."""

    def __init__(
        self, words: WordVectors, train: Texts, dev: Texts, config: AttentionConfig, device: str = "cpu"
    ) -> None:
        configs.check(config)
        self.config, self.words, self.dev = config, words, dev
        self.labels = sorted(set(train.labels))
        if len(self.labels) < 2:
            raise InputError(f"{train.name!r} has only one label; two or more are needed.")
        if unknown := sorted(set(dev.labels) - set(self.labels)):
            raise InputError(f"{dev.name!r} has the label {unknown[0]!r}, which {train.name!r} never has.")
        self.rows = rows_of(words, train.tokens, config.longest)
        self.targets = numbers_of(train.labels, self.labels)
        self.device = pick_device(device)

    def train(self) -> AttentionClassifier:
        """Train a fresh network, which then has the weights of the best epoch on dev."""
        chosen = self.config
        lengths, rng = np.array([len(row) for row in self.rows]), np.random.default_rng(chosen.seed)
        with torch.random.fork_rng():
            torch.manual_seed(chosen.seed)
            network = AttentionNetwork(self.words.dim, len(self.labels), chosen).to(self.device)
            classifier = AttentionClassifier(network, self.words, self.labels, self.device)
            objective = self.objective(network)
            learnt = [*network.parameters(), *(objective.parameters() if objective else ())]
            optimiser = torch.optim.Adam(learnt, lr=chosen.learning_rate, weight_decay=chosen.weight_decay)
            TrainingLoop(
                network,
                TorchOptimiser(optimiser),
                epochs=chosen.epochs,
                batches=lambda _epoch, _first: shuffled(lengths, chosen.batch, rng),
                loss=lambda indices: self.loss(network, indices, objective),
                evaluate=lambda: {"f1": self.dev_score(classifier)},
                best="f1",
                patience=chosen.patience,
                hooks=[GradientClipping(network, chosen.clip)],
            ).run()
        return classifier

    def loss(self, network: AttentionNetwork, indices: IndexArray, objective: WordObjective | None = None) -> Tensor:
        """Return the loss of a batch of texts."""
        padded, lengths = pad([self.rows[index] for index in indices])
        rows, reader = padded.to(self.device), AttentionReader(network, self.words)
        passed = reader(rows, lengths)
        loss = F.cross_entropy(passed.scores, torch.from_numpy(self.targets[indices]).to(self.device))
        if objective is not None:
            loss = loss + self.config.objective_weight * objective(reader, rows, lengths, passed)
        return loss

    def objective(self, network: AttentionNetwork) -> WordObjective | None:
        """Return what is learnt beside the labels, if anything."""
        dim, width = self.words.dim, network.width
        if self.config.objective == "tying":
            return Tying(dim, width).to(self.device)
        if self.config.objective == "mlm":
            vocabulary = torch.from_numpy(np.unique(np.concatenate(self.rows)))
            return MaskedWords(dim, width, vocabulary).to(self.device)
        return None

    def dev_score(self, classifier: AttentionClassifier) -> float:
        """Return the score that chooses the epoch."""
        predicted = classifier.predict(self.dev.tokens).argmax(axis=1)
        return f1(numbers_of(self.dev.labels, self.labels), predicted)


def rows_of(words: WordVectors, texts: Sequence[Sequence[str]], longest: int) -> list[IndexArray]:
    """Return the rows of the words of texts; a text without words has one that has no meaning."""
    return words.rows([tuple(text[:longest]) or UNKNOWN for text in texts])


def numbers_of(labels: Sequence[str], known: Sequence[str]) -> IndexArray:
    """Return the numbers of labels."""
    number = {label: place for place, label in enumerate(known)}
    return np.array([number[label] for label in labels], dtype=np.int64)


def f1(gold: IndexArray, predicted: IndexArray) -> float:
    """Return F1 in percent: of label 1 if there are two labels, else the mean over the labels of gold.

    >>> f1(np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0]))
    50.0
    """
    labels = [1] if set(gold.tolist()) | set(predicted.tolist()) <= {0, 1} else sorted(set(gold.tolist()))
    found = []
    for label in labels:
        both = int(((gold == label) & (predicted == label)).sum())
        either = int((gold == label).sum() + (predicted == label).sum())
        found.append(200 * both / either if either else 0.0)
    return float(np.mean(found))
