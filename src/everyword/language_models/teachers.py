"""Teachers of classifiers: fine-tuned transformers, and the probabilities that they give the labels of texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from everyword.arrays import FloatArray
from everyword.corpus.labelled.documents import Documents, SoftLabels
from everyword.errors import InputError
from everyword.language_models.fine_tuning import FineTuning, fine_tune, new_classifier, predict
from everyword.language_models.heads import load_with_head, save_for_transformers


@dataclass(frozen=True)
class Teacher:
    """A transformer that classifies texts."""

    network: Any
    tokenizer: Any
    labels: tuple[str, ...]
    longest: int = FineTuning.longest
    """The maximum number of pieces of a text."""

    @classmethod
    def load(cls, folder: Path, device: str = "cpu") -> Teacher:
        """Load a fine-tuned transformer, whose configuration names its labels."""
        network, tokenizer = load_with_head(folder, "SequenceClassification", device=device)
        named = {int(number): str(label) for number, label in network.config.id2label.items()}
        return cls(network, tokenizer, tuple(named[number] for number in range(len(named))))

    def save(self, folder: Path) -> None:
        """Save it as transformers do."""
        save_for_transformers(self.network, self.tokenizer, folder)

    def soft_labels(self, documents: Documents) -> SoftLabels:
        """Return the probabilities of all labels of texts."""
        return SoftLabels(self.labels, predict(self.network, self.tokenizer, documents.texts, longest=self.longest))

    def labels_of(self, documents: Documents) -> list[list[str]]:
        """Return the labels that it gives texts."""
        return self.soft_labels(documents).chosen(documents.several)


def train_teacher(
    source: Any,
    train: Documents,
    dev: Documents,
    config: FineTuning | None = None,
    *,
    device: str = "cpu",
) -> Teacher:
    """Fine-tune a transformer on labelled texts.

    Args:
        source: The folder or hub id of a language model.
        train: What it learns from.
        dev: What the epoch is chosen by; labels that train lacks are never given.
        config: Settings of fine-tuning.
        device: Where it runs.
    """
    config, labels = config or FineTuning(), train.known
    network, tokenizer = new_classifier(source, len(labels), device=device, seed=config.seed)
    if train.several:
        _start_from_frequencies(network, train, labels)
    network.config.id2label = dict(enumerate(labels))
    network.config.label2id = {label: number for number, label in enumerate(labels)}
    seen = dev if dev.several else dev.take([row for row, [own] in enumerate(dev.labels) if own in labels])
    targets = [_numbers(data, labels) for data in (train, seen)]
    fine_tune(network, tokenizer, train.texts, targets[0], seen.texts, targets[1], config)
    return Teacher(network, tokenizer, tuple(labels), config.longest)


def _start_from_frequencies(network: Any, train: Documents, labels: list[str]) -> None:
    """Let a fresh head find each label as probable as it is frequent: with many labels, most are rare."""
    head = [one for one in network.modules() if isinstance(one, nn.Linear) and one.out_features == len(labels)][-1]
    shares = _numbers(train, labels).mean(axis=0).clip(1e-3, 1 - 1e-3)
    with torch.no_grad():
        head.bias.copy_(torch.from_numpy(np.log(shares / (1 - shares))))


def soft_labels(teacher: Path, documents: Documents, device: str = "cpu") -> SoftLabels:
    """Return what a teacher says of documents.

    Args:
        teacher: An .npz file of probabilities, or the folder of a fine-tuned transformer that knows the same labels.
        documents: The texts.
        device: Where the transformer runs.
    """
    if not teacher.is_dir():
        return SoftLabels.load(teacher)
    loaded = Teacher.load(teacher, device)
    if unknown := set(documents.known) - set(loaded.labels):
        raise InputError(f"The teacher in {teacher} does not know the label {min(unknown)!r} of {documents.name}.")
    return loaded.soft_labels(documents)


def _numbers(data: Documents, labels: list[str]) -> Any:
    """Return the number of each label or, if texts may have several, 0 and 1 for each."""
    number = {label: place for place, label in enumerate(labels)}
    if not data.several:
        return [number[label] for [label] in data.labels]
    found: FloatArray = np.zeros((len(data), len(labels)), dtype=np.float32)
    for row, own in enumerate(data.labels):
        found[row, [number[label] for label in own if label in number]] = 1
    return found
