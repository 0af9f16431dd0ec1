"""One encoder and two heads: the label of a pair of texts, and the role of each word for a predicate."""

from __future__ import annotations

from collections.abc import Sequence

import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.corpus.labelled.pairs import LABELS
from everyword.learning.batching import pad
from everyword.learning.crf import mask_of
from everyword.systems.inference.encoders import Encoder, PairItem, WordsItem

PADDED = -100
"""The tag of what is no word, which no loss counts."""


class SharedNetwork(nn.Module):
    """An encoder with a head of two layers for each task."""

    def __init__(self, encoder: Encoder, tags: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.inference = _head(encoder.pair_width, encoder.width, len(LABELS), encoder.config.dropout)
        self.roles = _head(encoder.width, encoder.width, tags, encoder.config.dropout)

    def pair_scores(self, items: Sequence[PairItem]) -> Tensor:
        """Return a score for each label of each pair, (pairs, labels)."""
        scores: Tensor = self.inference(self.encoder.read_pairs(items))
        return scores

    def role_scores(self, items: Sequence[WordsItem]) -> Tensor:
        """Return a score for each tag of each word, (sentences, words, tags)."""
        scores: Tensor = self.roles(self.encoder.read_words(items))
        return scores

    def pair_loss(self, items: Sequence[PairItem], labels: Tensor) -> Tensor:
        """Return the mean cross-entropy of the labels of pairs."""
        scores = self.pair_scores(items)
        return F.cross_entropy(scores, labels.to(scores.device))

    def role_loss(self, items: Sequence[WordsItem], tags: Tensor) -> Tensor:
        """Return the mean cross-entropy of the tags of words, (sentences, words); `PADDED` where there is none."""
        scores = self.role_scores(items)
        return F.cross_entropy(scores.flatten(0, 1), tags.to(scores.device).flatten(), ignore_index=PADDED)


def padded_tags(tags: Sequence[IndexArray]) -> Tensor:
    """Return tags as one rectangular tensor.

    >>> import numpy as np
    >>> padded_tags([np.array([3, 1]), np.array([2])]).tolist()
    [[3, 1], [2, -100]]
    """
    padded, lengths = pad(tags)
    return padded.masked_fill(~mask_of(lengths, padded.shape[1]), PADDED)


def _head(width: int, hidden: int, outputs: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(nn.Dropout(dropout), nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, outputs))
