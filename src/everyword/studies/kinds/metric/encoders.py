"""Transformers that are fine-tuned by any loss of classifiers: the vector of a text is the maximum over its pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, Natural, NonNegative, Positive
from everyword.learning.batching import by_length, pad, shuffled
from everyword.learning.classification import ClassificationLoss
from everyword.learning.crf import mask_of
from everyword.learning.device import half_precision, pick_device
from everyword.learning.hooks import GradientClipping
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import linear_schedule

AT_ONCE = 512


@dataclass(frozen=True)
class TunedConfig:
    """How a transformer is fine-tuned."""

    epochs: Count = 3
    batch: Count = 128
    rate: Positive = 2e-4
    """The highest learning rate: it rises for a tenth of the steps, and then falls to 0."""
    weight_decay: NonNegative = 0.01
    longest: Count = 64
    """Pieces of a text that are read."""
    clip: Positive = 1.0
    seed: Natural = 0


class TunedEncoder(nn.Module):
    """A transformer, the maximum over pieces, and an output layer."""

    def __init__(self, network: Any, labels: int, loss: ClassificationLoss, padding: int) -> None:
        super().__init__()
        self.network, self.loss, self.padding = network, loss, padding
        self.output = nn.Linear(int(network.config.hidden_size), labels)

    def forward(self, pieces: Sequence[IndexArray]) -> Tensor:
        """Return the features of texts, of length 1 if the loss asks for it."""
        device = self.output.weight.device
        ids, lengths = pad(pieces)
        mask = mask_of(lengths, ids.shape[1])
        ids, mask = ids.masked_fill(~mask, self.padding).to(device), mask.to(device)
        with half_precision(device):
            states = self.network(input_ids=ids, attention_mask=mask.long()).last_hidden_state.float()
        features = states.masked_fill(~mask[:, :, None], float("-inf")).amax(dim=1)
        return F.normalize(features, dim=1) if self.loss.unit else features

    @torch.no_grad()
    def features(self, pieces: Sequence[IndexArray]) -> Tensor:
        """Return the features of many texts."""
        self.eval()
        found = torch.zeros(len(pieces), self.output.in_features, device=self.output.weight.device)
        for rows in by_length(_lengths(pieces), AT_ONCE):
            found[torch.from_numpy(rows).to(found.device)] = self([pieces[row] for row in rows])
        return found


def pieces_of(tokenizer: Any, texts: Sequence[str], longest: int) -> list[IndexArray]:
    """Return the numbers of the pieces of texts."""
    return [np.array(ids) for ids in tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"]]


def tune(
    encoder: TunedEncoder, pieces: Sequence[IndexArray], targets: IndexArray, config: TunedConfig, device: str
) -> TunedEncoder:
    """Fine-tune an encoder in place, for all epochs; its loss may have to set the output layer afterwards."""
    encoder.to(pick_device(device))
    lengths, labels = _lengths(pieces), torch.from_numpy(targets).to(encoder.output.weight.device)

    def loss(rows: IndexArray) -> Tensor:
        features = encoder([pieces[row] for row in rows])
        found: Tensor = encoder.loss(
            features, encoder.output(features), labels[torch.from_numpy(rows).to(labels.device)]
        )
        return found

    optimiser = torch.optim.AdamW(
        encoder.parameters(), lr=config.rate, weight_decay=config.weight_decay, fused=labels.is_cuda
    )
    TrainingLoop(
        encoder,
        TorchOptimiser(optimiser),
        epochs=config.epochs,
        batches=lambda epoch, first: shuffled(lengths, config.batch, np.random.default_rng([config.seed, epoch]))[
            first:
        ],
        loss=loss,
        learning_rate=linear_schedule(config.rate, config.epochs, 0.1),
        seed=config.seed,
        hooks=[GradientClipping(encoder, config.clip)],
    ).run()
    return encoder


def labels_of(encoder: TunedEncoder, features: Tensor) -> IndexArray:
    """Return the number of the most probable label of each text."""
    with torch.no_grad():
        found: IndexArray = encoder.output(features).argmax(dim=1).cpu().numpy()
    return found


def as_array(features: Tensor) -> FloatArray:
    """Return features as an array."""
    found: FloatArray = features.cpu().numpy()
    return found


def _lengths(pieces: Sequence[IndexArray]) -> IndexArray:
    return np.array([len(row) for row in pieces], dtype=np.int64)
