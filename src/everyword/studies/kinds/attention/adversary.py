"""Can a second classifier say the same with other attention? If it can, attention was not needed for what was said.

Tutek and Šnajder (RepL4NLP 2020, after Wiegreffe and Pinter 2019) train a network a beside a trained one b:

    TVD(y_a, y_b) − λ JSD(α_a, α_b)

Its labels are to be those of b, and its attention far from that of b.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import IndexArray
from everyword.corpus.labelled.sets import Texts
from everyword.learning.batching import pad
from everyword.learning.word_objectives import WordObjective
from everyword.systems.classifiers.attention import AttentionConfig, AttentionNetwork
from everyword.systems.classifiers.attention_training import AttentionClassifier, AttentionTraining


class Apart(NamedTuple):
    """How far two classifiers are apart, in the mean over texts; both between 0 and 1."""

    labels: float
    """Half the sum of the differences of their probabilities."""
    attention: float
    """The Jensen-Shannon divergence of their attention, in bits."""


class AdversaryTraining(AttentionTraining):
    """Trains a classifier with the labels of another and with other attention.

    Args:
        other: A trained classifier.
        train: Texts to learn from; their labels are only those that there are.
        dev: Texts that choose the epoch.
        config: The network and its training.
        weight: λ, how much other attention is worth.
        device: Where it is trained.
    """

    def __init__(
        self,
        other: AttentionClassifier,
        train: Texts,
        dev: Texts,
        config: AttentionConfig,
        *,
        weight: float = 1.0,
        device: str = "cpu",
    ) -> None:
        super().__init__(other.words, train, dev, config, device)
        self.other, self.weight = other, weight

    def loss(self, network: AttentionNetwork, indices: IndexArray, objective: WordObjective | None = None) -> Tensor:
        """Return the loss of a batch of texts."""
        padded, lengths = pad([self.rows[index] for index in indices])
        inputs = self.words.look_up(padded.to(self.device))
        own, fixed = network(inputs, lengths), self.other.network.eval()
        with torch.no_grad():
            theirs = fixed(inputs, lengths)
        labels = (own.scores.softmax(dim=-1) - theirs.scores.softmax(dim=-1)).abs().sum(dim=-1) / 2
        loss: Tensor = (labels - self.weight * divergence(own.weights, theirs.weights)).mean()
        return loss

    def dev_score(self, classifier: AttentionClassifier) -> float:
        """Return how well it does what it is to do."""
        found = apart(classifier, self.other, self.dev)
        return 1 - found.labels + self.weight * found.attention


def divergence(one: Tensor, other: Tensor) -> Tensor:
    """Return the Jensen-Shannon divergence of distributions in bits, row by row."""
    middle = (one + other) / 2
    parts = [torch.xlogy(part, part) - torch.xlogy(part, middle) for part in (one, other)]
    return (parts[0] + parts[1]).sum(dim=-1) / (2 * float(np.log(2)))


def apart(one: AttentionClassifier, other: AttentionClassifier, texts: Texts) -> Apart:
    """Return how far two classifiers are apart on texts."""
    labels = np.abs(one.predict(texts.tokens) - other.predict(texts.tokens)).sum(axis=1) / 2
    pairs = zip(one.read(texts.tokens), other.read(texts.tokens), strict=True)
    bits = [divergence(*(torch.from_numpy(read.weights) for read in pair)) for pair in pairs]
    return Apart(float(labels.mean()), float(torch.stack(bits).mean()))
