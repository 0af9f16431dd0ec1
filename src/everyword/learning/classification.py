"""What a classifier learns from: losses over the features and scores of texts.

A loss is a line in the registry and an option of every classifier. It sees the features of a batch of texts, which the
output layer reads, and their scores. Whatever it learns from, texts are classified by the output layer alone, so a loss
that has class weights of its own, or none, sets that layer before it is used (`settle`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch.nn.functional as F
from torch import Tensor, nn


class ClassificationLoss(nn.Module, ABC):
    """Base class of losses.

    Args:
        width: The length of the features.
        labels: How many labels there are.
    """

    unit = False
    """Whether features are scaled to length 1 before the output layer."""
    several = False
    """Whether a text may have several labels."""
    settles = False
    """Whether `settle` sets the output layer."""

    def __init__(self, width: int, labels: int) -> None:
        super().__init__()
        self.width, self.labels = width, labels

    @abstractmethod
    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of a batch of texts.

        Args:
            features: (texts, width).
            scores: (texts, labels), what the output layer makes of the features.
            targets: The number of each text's label, (texts,), or 0 and 1 for each label, (texts, labels).
        """

    def settle(self, output: nn.Linear, features: Tensor, targets: Tensor) -> None:
        """Set the output layer, given the features and labels of all texts to learn from."""


class CrossEntropy(ClassificationLoss):
    """The usual loss: of the one label, or the mean over labels that are each there or not, times their number."""

    several = True

    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        """Return the mean over texts."""
        if targets.ndim == 1:
            return F.cross_entropy(scores, targets)
        return F.binary_cross_entropy_with_logits(scores, targets.to(scores.dtype)) * self.labels
