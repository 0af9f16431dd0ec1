"""A classifier over the mean of the word vectors of a text: linear or deep, with fixed or tuned vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, Natural, Positive, Range
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.vectors.neighbours import unit_rows

ACCURACY = "accuracy"
TEXTS_AT_ONCE = 4096


@dataclass(frozen=True)
class WordAverageConfig:
    """Size and training of a classifier."""

    hidden: tuple[Count, ...] = ()
    """Units of hidden layers; none is a linear classifier."""
    tuned: bool = False
    """Whether word vectors are trained too."""
    epochs: Count = 20
    patience: Count = 5
    """Stop after this many epochs without a better accuracy on dev."""
    batch: Count = 32
    rate: Positive = 1e-3
    dropout: Annotated[float, Range(0, 1, open_high=True)] = 0.2
    """Of the mean of the vectors."""
    seed: Natural = 0


class WordAverage(nn.Module):
    """Rows of words of texts → a score for each label."""

    def __init__(self, vectors: FloatArray, labels: int, config: WordAverageConfig) -> None:
        super().__init__()
        # Of length √dim, so that a coordinate has about the size that layers of a network expect; a last row of zeros
        # is the word of a text without any.
        scaled = unit_rows(vectors) * np.float32(np.sqrt(vectors.shape[1]))
        rows = np.concatenate([scaled, np.zeros((1, vectors.shape[1]), dtype=np.float32)])
        self.words = nn.EmbeddingBag.from_pretrained(torch.from_numpy(rows), freeze=not config.tuned, mode="mean")
        sizes = [vectors.shape[1], *config.hidden]
        layers: list[nn.Module] = [nn.Dropout(config.dropout)]
        for size, following in pairwise(sizes):
            layers += [nn.Linear(size, following), nn.ReLU()]
        self.head = nn.Sequential(*layers, nn.Linear(sizes[-1], labels))

    def forward(self, texts: Sequence[IndexArray]) -> Tensor:
        """Return scores (texts, labels)."""
        last = self.words.num_embeddings - 1
        rows = [text if len(text) else np.array([last]) for text in texts]
        starts = np.concatenate([[0], np.cumsum([len(text) for text in rows])[:-1]])
        means = self.words(torch.from_numpy(np.concatenate(rows)), torch.from_numpy(starts))
        scores: Tensor = self.head(means)
        return scores

    @torch.inference_mode()
    def probabilities(self, texts: Sequence[IndexArray]) -> FloatArray:
        """Return the probability of each label, (texts, labels)."""
        self.eval()
        parts = [texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE)]
        found: FloatArray = torch.cat([self(part).softmax(dim=1) for part in parts]).numpy()
        return found


def train_word_average(
    vectors: FloatArray,
    train: tuple[Sequence[IndexArray], IndexArray],
    dev: tuple[Sequence[IndexArray], IndexArray],
    config: WordAverageConfig | None = None,
) -> WordAverage:
    """Train a classifier; it has the weights of the epoch that is best on dev.

    Args:
        vectors: A row per word.
        train: The rows of the words of each text to learn from, and the label of each, from 0 up.
        dev: The same of the texts that choose the epoch.
        config: Size and training.
    """
    options = config or WordAverageConfig()
    texts, labels = train
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(options.seed)
        network = WordAverage(vectors, int(labels.max()) + 1, options)
        trained = [weight for weight in network.parameters() if weight.requires_grad]

        def batches(epoch: int, first: int) -> list[IndexArray]:
            order = np.random.default_rng([options.seed, epoch]).permutation(len(texts))
            return np.split(order, range(options.batch, len(order), options.batch))[first:]

        TrainingLoop(
            network,
            TorchOptimiser(torch.optim.Adam(trained, lr=options.rate)),
            epochs=options.epochs,
            batches=batches,
            loss=lambda rows: F.cross_entropy(network([texts[row] for row in rows]), torch.from_numpy(labels[rows])),
            seed=options.seed,
            evaluate=lambda: {ACCURACY: float((network.probabilities(dev[0]).argmax(axis=1) == dev[1]).mean())},
            best=ACCURACY,
            patience=options.patience,
        ).run()
    return network.eval()
