"""Training of a text classifier on labelled documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config as configs
from everyword import registry
from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.labelled.documents import Documents, labels_to_learn
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.learning.adversarial import AdversarialConfig, AdversarialTraining
from everyword.learning.batching import pad, shuffled
from everyword.learning.classification import ClassificationLoss
from everyword.learning.distillation import divergence
from everyword.learning.hooks import EpochReport, Hook
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.sources import Source, Sources
from everyword.learning.techniques import CHOICE, chosen_by, told, weight_hooks
from everyword.learning.word_vectors import WordVectors
from everyword.systems.classifiers.classifier import (
    RATES,
    ClassifierConfig,
    TextClassifier,
    save_classifier,
    words_read,
)
from everyword.systems.classifiers.networks import Passed, TorchPass, new_network

LEAST, TIE = 1e-6, 1e-4
SAMPLE = 16
"""How many frequent words are kept with their vectors, to tell whether sources are those of the training."""


@dataclass(frozen=True)
class TrainedClassifier:
    """A trained classifier with its score on dev."""

    classifier: TextClassifier
    dev: float
    """Accuracy, or micro F1 if texts may have several labels; in percent."""
    epoch: int
    """The epoch of its weights, from 1."""
    run: TorchPass
    sources: Sources | None
    words: tuple[str, ...]
    """With tfidf the words that it reads; else some frequent ones."""

    def save(self, folder: Path, vectors: Sequence[str], **notes: Any) -> None:
        """Save it to a folder.

        Args:
            folder: Where it goes; made if it is not there.
            vectors: The sources as `open_source` finds them again.
            **notes: What else is to be told, as plain values.
        """
        weights = {name: weight.cpu().numpy() for name, weight in self.run.network.state_dict().items()}
        save_classifier(
            folder,
            self.classifier,
            weights,
            vectors=vectors,
            sources=self.sources,
            words=self.words,
            unit=self.run.network.unit,
            **{"dev": round(self.dev, 4), "epoch": self.epoch, **notes},
        )


def train_classifier(
    train: Documents,
    dev: Documents,
    sources: Sequence[Source],
    config: ClassifierConfig | None = None,
    *,
    device: str = "cpu",
    run: RunContext | None = None,
    report: Callable[[str], None] | None = None,
) -> TrainedClassifier | None:
    """Train a classifier, and keep the weights of the epoch that is best on dev.

    Args:
        train: What it learns from.
        dev: What the epoch is chosen by; labels that train lacks are never given.
        sources: Where the vectors of words come from; none are read with tfidf.
        config: The network and its training.
        device: Where it runs.
        run: Where its state is kept; by default nothing is.
        report: Gets a line of text after each epoch.

    Returns:
        The classifier, or None if Ctrl-C stopped a training that can be resumed.

    Raises:
        InputError: If there is nothing to learn, or no source knows a word.
    """
    config = config or ClassifierConfig()
    configs.check(config)
    labels = labels_to_learn(train, dev)
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        training = _Training(train, labels, sources, config, device)
        loop = training.loop(dev, run, report)
        if not loop.run():
            return None
    training.settle()
    return TrainedClassifier(
        training.classifier,
        round(loop.progress.best_score, 2),
        loop.progress.best_epoch + 1,
        training.run,
        training.sources,
        training.kept_words,
    )


def score(classifier: TextClassifier, data: Documents) -> float:
    """Return the share of correct labels, or micro F1 if texts may have several; in percent."""
    chosen = classifier.chosen(classifier.probabilities(data.texts))
    return data.score([[classifier.labels[one] for one in row] for row in chosen])


def loss_options(config: ClassifierConfig) -> dict[str, float]:
    """Return the options of a loss that are given, by the names that it has for them.

    >>> loss_options(ClassifierConfig(loss="aam", margin=0.1))
    {'margin': 0.1}
    """
    if config.loss == "center":
        return {"weight": config.center}
    wanted = {"margin": ("aam", "contrastive"), "scale": ("aam", "coco", "triplet")}
    given = {name: getattr(config, name) for name, losses in wanted.items() if config.loss in losses}
    return {name: value for name, value in given.items() if value is not None}


class _Training:
    """Documents as rows and numbers of labels, a network, and what is learnt from a batch."""

    def __init__(
        self, train: Documents, labels: list[str], sources: Sequence[Source], config: ClassifierConfig, device: str
    ) -> None:
        self.config, self.device, self.train, self.labels = config, device, train, labels
        loss = registry.classification_losses.get(config.loss)
        if train.several and not loss.several:
            raise InputError(f"The loss {config.loss!r} needs texts with one label each; {train.name} has several.")
        reads = config.network != "tfidf"
        self.sources = Sources(sources, config.length) if reads else None
        words = WordVectors(self.sources.encode, self.sources.dim) if self.sources else WordVectors(None, 0)
        tokens = [words_read(text, config) for text in train.texts]
        counts = Counter(word for text in tokens for word in dict.fromkeys(text))
        frequent = [word for word, _ in counts.most_common(SAMPLE)]
        vocabulary = frequent if reads else [word for word, count in counts.items() if count >= config.rarest]
        self.kept_words = tuple(vocabulary)
        words.rows([vocabulary])
        idf = [0.0, *(np.log((1 + len(tokens)) / (1 + counts[word])) + 1 for word in vocabulary)]
        network = new_network(config, words, len(labels), unit=loss.unit, idf=np.array(idf, dtype=np.float32))
        self.run = TorchPass(network, device)
        self.classifier = TextClassifier(labels, config, self.run, several=train.several)
        self.rows = self.run.rows(tokens)
        if reads and not words.vectors.any():
            raise InputError("No source has a vector for any word of the training data; are they of this language?")
        self.targets = self._targets()
        taught = config.teacher_weight and train.teacher is not None
        self.teacher = train.teacher.of(labels) if taught and train.teacher else None
        objective = registry.word_objectives.get(config.word_objective)
        self.parts = nn.ModuleDict(
            {
                "network": network,
                "loss": loss(network.width, len(labels), **loss_options(config)),
                "objective": objective(network.dim, network.state_width),
            }
        ).to(device)

    def _targets(self) -> FloatArray | IndexArray:
        gold = self._gold(self.train)
        return gold if self.train.several else gold.argmax(axis=1)

    def _gold(self, data: Documents) -> FloatArray:
        """Return 1 for each label of each text that is to be learnt, else 0, (texts, labels)."""
        number = {label: place for place, label in enumerate(self.labels)}
        found: FloatArray = np.zeros((len(data), len(self.labels)), dtype=np.float32)
        for row, labels in enumerate(data.labels):
            found[row, [number[label] for label in labels if label in number]] = 1
        return found

    def loop(self, dev: Documents, run: RunContext | None, report: Callable[[str], None] | None) -> TrainingLoop:
        """Return the loop that trains it."""
        config = self.config
        sizes = np.array([len(row) for row in self.rows], dtype=np.int64)
        hooks = self.hooks(-(-len(sizes) // config.batch) * config.epochs)
        weights, rate = self.parts.parameters(), config.learning_rate or RATES.get(config.network, 1e-3)
        optimiser = torch.optim.AdamW(weights, lr=rate, weight_decay=config.weight_decay)
        dev_rows = self.run.rows([words_read(text, config) for text in dev.texts])

        gold = self._gold(dev)

        def evaluate() -> dict[str, float]:
            self.settle()
            chances = self.classifier.shares(self.run.scores(dev_rows))
            found = dev.score([[self.labels[one] for one in row] for row in self.classifier.chosen(chances)])
            # Of epochs with the same score, the one that is surer of what is correct.
            safe = chances.clip(LEAST, 1 - LEAST)
            sure = gold * np.log(safe) + ((1 - gold) * np.log1p(-safe) if dev.several else 0)
            return chosen_by(found + TIE * float(sure.sum(axis=1).mean()), hooks, loop.progress.epoch)

        loop = TrainingLoop(
            self.parts,
            TorchOptimiser(optimiser),
            epochs=config.epochs,
            batches=lambda epoch, first: shuffled(sizes, config.batch, np.random.default_rng([config.seed, epoch]))[
                first:
            ],
            loss=self.loss,
            seed=config.seed,
            evaluate=evaluate,
            best=CHOICE,
            patience=config.patience,
            hooks=[*hooks, EpochReport(told(report))],
            run=run,
            fingerprint=self.fingerprint(),
        )
        return loop

    def fingerprint(self) -> str:
        """Return what tells whether a checkpoint belongs to this training."""
        sources = (
            [[name, dim] for name, dim in zip(self.sources.names, self.sources.dims, strict=True)]
            if (self.sources)
            else []
        )
        texts = fingerprint("\n".join(self.train.texts))
        return fingerprint([configs.to_dict(self.config), self.labels, sources, texts, self.teacher is not None])

    def passed(self, chosen: IndexArray) -> tuple[Tensor, Tensor, Passed]:
        """Run the network on a batch."""
        padded, lengths = pad([self.rows[index] for index in chosen])
        rows = padded.to(self.device)
        return rows, lengths, self.run.network(rows, lengths)

    def scores(self, chosen: IndexArray) -> Tensor:
        """Return scores whose softmax is the prediction: of labels, or of each label against its absence."""
        scores = self.passed(chosen)[2].scores
        return torch.stack([scores, torch.zeros_like(scores)], dim=-1) if self.train.several else scores

    def loss(self, chosen: IndexArray) -> Tensor:
        """Return the loss of a batch of texts."""
        rows, lengths, passed = self.passed(chosen)
        total = self.label_loss(chosen, passed)
        if self.teacher is not None:
            config, soft = self.config, torch.from_numpy(self.teacher[chosen]).to(self.device)
            options = {"direction": config.divergence, "temperature": config.temperature}
            apart = divergence(passed.scores, soft, several=self.train.several, **options)  # type: ignore[arg-type]
            total = total + config.teacher_weight * apart.mean()
        if self.config.word_objective != "none" and self.config.word_weight:
            objective = self.parts["objective"]
            total = total + self.config.word_weight * objective(self.run.network, rows, lengths, passed)
        return total

    def label_loss(self, chosen: IndexArray, passed: Passed) -> Tensor:
        """Return the loss of the labels of a batch, of those texts whose labels are known."""
        targets = torch.from_numpy(self.targets[chosen]).to(self.device)
        features, scores = passed.features, passed.scores
        if self.train.gold is not None and not self.train.gold[chosen].all():
            known = torch.from_numpy(np.flatnonzero(self.train.gold[chosen])).to(self.device)
            if not len(known):
                return scores.sum() * 0
            features, scores, targets = features[known], scores[known], targets[known]
        loss: Tensor = self.parts["loss"](features, scores, targets)
        return loss

    def hooks(self, steps: int) -> list[Hook]:
        """Return the techniques that the configuration asks for."""
        config, found = self.config, list[Hook]()
        if config.adversarial:
            settings = AdversarialConfig(eps=config.adversarial)
            found.append(AdversarialTraining(self.run.network.read, self.loss, self.scores, settings))
        keep = lambda name: not name.startswith("network.")  # noqa: E731
        return found + weight_hooks(self.parts, config.clip, config.prune, steps, keep)

    def settle(self) -> None:
        """Set the output layer if the loss has class weights of its own, or none."""
        loss = self.parts["loss"]
        assert isinstance(loss, ClassificationLoss)
        if loss.settles:
            features, targets = (
                torch.from_numpy(one).to(self.device) for one in (self.run.features(self.rows), self.targets)
            )
            with torch.no_grad():
                loss.settle(self.run.network.output, features, targets)
