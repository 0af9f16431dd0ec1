"""Text classification with a CNN over frozen word vectors: SST-2, MR and similar sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.config import to_dict
from everyword.evaluation.tasks.extrinsic.data import Texts, labels_of
from everyword.evaluation.tasks.extrinsic.learner import Learner, LearnerConfig
from everyword.evaluation.tasks.extrinsic.protocol import LearnerScores, score_test
from everyword.evaluation.tasks.extrinsic.spans import token_accuracy
from everyword.learning.word_vectors import Encode, WordVectors
from everyword.systems.classifiers.text_cnn import TextCnn


@dataclass(frozen=True)
class ClassifyConfig:
    """The classifier of the LOVE paper."""

    widths: tuple[int, ...] = (3, 4, 5)
    filters: int = 100
    """For each width."""
    dropout: float = 0.5
    learning: LearnerConfig = field(default_factory=LearnerConfig)


class Classifier(Learner[Texts]):
    """Learns the labels of texts."""

    main = "accuracy"

    def __init__(self, words: WordVectors, train: Texts, dev: Texts, config: ClassifyConfig) -> None:
        super().__init__(words, train, dev, config.learning)
        self.config = config

    def network(self) -> TextCnn:
        config = self.config
        return TextCnn(
            self.words.dim, len(self.labels), widths=config.widths, filters=config.filters, dropout=config.dropout
        )

    def loss(self, network: nn.Module, rows: Tensor, lengths: Tensor, targets: Sequence[IndexArray]) -> Tensor:
        labels = torch.from_numpy(np.concatenate(targets)).to(rows.device)
        return F.cross_entropy(network(self.words.look_up(rows), lengths), labels)

    def predict(self, network: nn.Module, rows: Tensor, lengths: Tensor) -> list[list[int]]:
        best: Tensor = network(self.words.look_up(rows), lengths).argmax(dim=1)
        return [[label] for label in best.tolist()]

    def scores(self, data: Texts, predicted: Sequence[Sequence[str]]) -> dict[str, float]:
        return {"accuracy": token_accuracy(labels_of(data), predicted)}

    def describe(self) -> Mapping[str, Any]:
        return to_dict(self.config)


def classify(
    encode: Encode,
    dim: int,
    train: Texts,
    dev: Texts,
    test: Texts,
    *,
    config: ClassifyConfig | None = None,
    known: Callable[[str], bool] | None = None,
    save_to: Path | None = None,
) -> LearnerScores:
    """Train on `train`, choose by `dev`, score on `test`. Without `known`, a token with a zero vector is unknown."""
    learner = Classifier(WordVectors(encode, dim, known), train, dev, config or ClassifyConfig())
    return score_test(learner, test, save_to=save_to)
