"""Two classifiers for studies of training: a network over the mean of word vectors, and a fine-tuned transformer.

Both are trained under the worst changes of their input vectors, or without, and then scored: texts as they are,
misspelt, and with the worst change of their vectors.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.config import Count, Natural, Positive, Range
from everyword.language_models.fine_tuning import FineTuning, LabelledPasses, fine_tune, new_classifier
from everyword.learning.adversarial import AdversarialConfig, AdversarialTraining, accuracy_under_attack
from everyword.learning.batching import by_length, pad, shuffled
from everyword.learning.device import pick_device
from everyword.learning.hooks import Hook
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.word_vectors import PADDING, WordVectors
from everyword.sentences.tokens import tokens_of
from everyword.studies.kinds.labelled_columns import ColumnParts, ColumnTexts

DEV = "dev"
AT_ONCE = 256


@dataclass(frozen=True)
class AverageConfig:
    """A network over the mean of the word vectors of a text, and its training."""

    hidden: Count = 100
    dropout: Annotated[float, Range(0, 1, open_high=True)] = 0.3
    epochs: Count = 12
    patience: Count = 4
    batch: Count = 128
    rate: Positive = 2e-3
    seed: Natural = 0


class RobustClassifier(ABC):
    """A trained classifier whose input vectors can be changed."""

    layer: nn.Module
    """What gives the vectors that are changed."""

    @abstractmethod
    def passes(self, texts: ColumnTexts) -> Any:
        """Return what reads batches of texts: `lengths`, `labels`, `loss`, `scores` and `pieces`."""

    @abstractmethod
    def network(self) -> nn.Module:
        """Return the network."""

    @torch.no_grad()
    def predict(self, texts: ColumnTexts) -> IndexArray:
        """Return the label of each text."""
        self.network().eval()
        passes, found = self.passes(texts), np.zeros(len(texts), dtype=np.int64)
        for indices in by_length(passes.lengths, AT_ONCE):
            found[indices] = passes.scores(indices).argmax(dim=-1).cpu().numpy()
        return found

    def accuracy_at_worst(self, texts: ColumnTexts, attack: AdversarialConfig) -> float:
        """Return the percentage of labels that are right under the worst change of the input vectors."""
        self.network().eval()
        passes = self.passes(texts)
        batches = [(indices, passes.labels[indices]) for indices in by_length(passes.lengths, AT_ONCE)]
        with torch.random.fork_rng():
            torch.manual_seed(0)
            return 100 * accuracy_under_attack(
                self.layer, batches, passes.loss, passes.scores, attack, words=passes.pieces
            )


class _Lookup(nn.Module):
    """Rows of words → their vectors, which are not trained, of a size that layers of a network expect."""

    def __init__(self, words: WordVectors) -> None:
        super().__init__()
        self.words = words

    def forward(self, rows: Tensor) -> Tensor:
        return self.words.look_up(rows) * math.sqrt(self.words.dim)


class _VectorPasses:
    """Texts as rows of words, in batches of their numbers."""

    def __init__(self, classifier: VectorClassifier, texts: ColumnTexts) -> None:
        self._rows = classifier.rows(texts)
        self._head, self._layer, self.device = classifier.head, classifier.layer, classifier.device
        self.labels = torch.from_numpy(texts.labels).to(self.device)
        self.lengths = np.array([len(row) for row in self._rows], dtype=np.int64)

    def _batch(self, indices: IndexArray) -> tuple[Tensor, Tensor]:
        rows, lengths = pad([self._rows[index] for index in indices])
        return rows.to(self.device), lengths.to(self.device)

    def loss(self, indices: IndexArray) -> Tensor:
        return F.cross_entropy(self.scores(indices), self.labels[torch.from_numpy(indices)])

    def scores(self, indices: IndexArray) -> Tensor:
        rows, lengths = self._batch(indices)
        scores: Tensor = self._head(self._layer(rows).sum(dim=1) / lengths[:, None])
        return scores

    def pieces(self, indices: IndexArray) -> Tensor:
        return self._batch(indices)[0] != PADDING


class VectorClassifier(RobustClassifier):
    """A network over the mean of the vectors of words."""

    def __init__(self, words: WordVectors, labels: int, config: AverageConfig, device: str) -> None:
        self.device = pick_device(device)
        self.layer: nn.Module = _Lookup(words)
        layers = [nn.Linear(words.dim, config.hidden), nn.ReLU(), nn.Linear(config.hidden, labels)]
        self.head = nn.Sequential(nn.Dropout(config.dropout), *layers).to(self.device)
        self._words = words

    def rows(self, texts: ColumnTexts) -> list[IndexArray]:
        """Return the rows of the words of texts; a text without words has one that has no meaning."""
        return self._words.rows([tokens_of(text.lower()) or [""] for text in texts.joined()])

    def passes(self, texts: ColumnTexts) -> _VectorPasses:
        return _VectorPasses(self, texts)

    def network(self) -> nn.Module:
        return self.head


def train_on_vectors(
    words: WordVectors, parts: ColumnParts, config: AverageConfig, settings: AdversarialConfig | None, device: str
) -> VectorClassifier:
    """Train a network, under the worst changes of word vectors if settings are given."""
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        classifier = VectorClassifier(words, len(parts.names), config, device)
        passes = classifier.passes(parts.train)
        TrainingLoop(
            classifier.head,
            TorchOptimiser(torch.optim.Adam(classifier.head.parameters(), lr=config.rate)),
            epochs=config.epochs,
            batches=lambda epoch, first: shuffled(
                passes.lengths, config.batch, np.random.default_rng([config.seed, epoch])
            )[first:],
            loss=passes.loss,
            evaluate=lambda: {DEV: accuracy_of(classifier.predict(parts.dev), parts.dev.labels)},
            best=DEV,
            patience=config.patience,
            hooks=_adversary(classifier.layer, passes, settings),
        ).run()
    return classifier


class TunedClassifier(RobustClassifier):
    """A fine-tuned transformer."""

    def __init__(self, network: Any, tokenizer: Any, longest: int) -> None:
        self._network, self.tokenizer, self.longest = network, tokenizer, longest
        self.layer: nn.Module = network.get_input_embeddings()

    def texts(self, texts: ColumnTexts) -> list[str]:
        """Return texts with the tokenizer's separator between their columns."""
        return texts.joined(f" {self.tokenizer.sep_token} ")

    def passes(self, texts: ColumnTexts) -> LabelledPasses:
        labels = texts.labels.tolist()
        return LabelledPasses(self._network, self.tokenizer, self.texts(texts), labels, longest=self.longest)

    def network(self) -> Any:
        return self._network


def train_by_tuning(
    encoder: str, parts: ColumnParts, config: FineTuning, settings: AdversarialConfig | None, device: str
) -> TunedClassifier:
    """Fine-tune a transformer, under the worst changes of its input vectors if settings are given."""
    network, tokenizer = new_classifier(encoder, len(parts.names), device=device, seed=config.seed)
    classifier = TunedClassifier(network, tokenizer, config.longest)
    train, dev = ((classifier.texts(part), part.labels.tolist()) for part in (parts.train, parts.dev))

    def techniques(passes: LabelledPasses) -> Sequence[Hook]:
        return _adversary(classifier.layer, passes, settings)

    fine_tune(network, tokenizer, *train, *dev, config, techniques=techniques)
    return classifier


def _adversary(layer: nn.Module, passes: Any, settings: AdversarialConfig | None) -> list[Hook]:
    if settings is None:
        return []
    return [AdversarialTraining(layer, passes.loss, passes.scores, settings, words=passes.pieces)]


def accuracy_of(predicted: IndexArray, labels: IndexArray) -> float:
    """Return the percentage of right labels."""
    return 100 * float((predicted == labels).mean())


def exact_match(predicted: IndexArray, texts: ColumnTexts) -> float:
    """Return the percentage of questions whose texts all have the right label."""
    wrong = np.unique(texts.questions[predicted != texts.labels])
    return 100 * (1 - len(wrong) / len(np.unique(texts.questions)))


def question_f1(predicted: IndexArray, texts: ColumnTexts, label: int = 1) -> float:
    """Return F1 of a label in percent, the mean over questions; 1 where it is rightly given to no text."""
    found: list[float] = []
    for question in np.unique(texts.questions):
        rows = texts.questions == question
        gold, given = texts.labels[rows] == label, predicted[rows] == label
        total = int(gold.sum() + given.sum())
        found.append(2 * int((gold & given).sum()) / total if total else 1.0)
    return 100 * float(np.mean(found))
