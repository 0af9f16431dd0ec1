"""A causal language model with attributes as a classifier of texts: the state after the end of a text decides.

loss = loss of labels + RHO (loss of words + loss of attributes)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from everyword.arrays import IndexArray
from everyword.corpus.lexicons.attributes import AttributeLexicon, plain
from everyword.learning.device import half_precision
from everyword.learning.hooks import GradientClipping
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import linear_schedule
from everyword.systems.tiny_bert.network import head_states
from everyword.systems.tiny_bert.tokenizer import END, FIRST, PADDING, UNKNOWN, tokenizer_of
from everyword.systems.tiny_bert.train import Guesses, Training

RHO = 0.5
TEXTS_AT_ONCE = 512


@dataclass(frozen=True)
class ClassifierSettings:
    """How a classifier is trained."""

    epochs: int = 5
    batch: int = 64
    rate: float = 5e-4
    warm_up: float = 0.1


class Reader:
    """Texts as numbers of words; words that only the lexicon knows are numbered too, if the model adds attributes."""

    def __init__(self, training: Training, lexicon: AttributeLexicon | None, texts: Sequence[str]) -> None:
        self.longest = training.config.length
        self.tokenizer = tokenizer_of(training.corpus.vocabulary)
        self.extra: dict[str, int] = {}
        layer, table = training.layer, training.attributes
        if layer is None or table is None or lexicon is None or not layer.embed:
            return
        unknown = sorted({word for text in texts for word in self._unknown(text)})
        ids = table.of(unknown, lexicon.of)
        listed = (ids > 0).sum(axis=1) > 0
        layer.add_words(ids[listed])
        words = [word for word, one in zip(unknown, listed, strict=True) if one]
        self.extra = {word: layer.num_embeddings + number for number, word in enumerate(words)}

    def _unknown(self, text: str) -> Iterator[str]:
        found = self.tokenizer.encode(text, add_special_tokens=False)
        yield from (plain(text[slice(*at)]) for one, at in zip(found.ids, found.offsets, strict=True) if one == UNKNOWN)

    def read(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of each text between its markers."""
        rows = []
        for text, found in zip(texts, self.tokenizer.encode_batch(list(texts), add_special_tokens=False), strict=True):
            ids = [
                self.extra.get(plain(text[slice(*at)]), UNKNOWN) if one == UNKNOWN else one
                for one, at in zip(found.ids, found.offsets, strict=True)
            ]
            rows.append([FIRST, *ids[: self.longest - 2], END])
        return rows


class Classifier(nn.Module):
    """The language model of a training, and a linear layer for labels."""

    def __init__(self, training: Training, labels: int, seed: int) -> None:
        super().__init__()
        self.training_run, self.network = training, training.network
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.head = nn.Linear(training.config.width, labels).to(training.device)

    def states(self, ids: Tensor) -> Tensor:
        """Return the last layer; what pads a text on the right is not seen by it."""
        with half_precision(ids.device):
            found: Tensor = self.network.bert(input_ids=ids).last_hidden_state
        return found

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits of labels."""
        return self.labels(self.states(ids), ids)

    def labels(self, states: Tensor, ids: Tensor) -> Tensor:
        """Return the logits of labels from the state of each text's end."""
        ends = (ids != PADDING).sum(dim=1) - 1
        logits: Tensor = self.head(states[torch.arange(len(ids), device=ids.device), ends].float())
        return logits

    def loss(self, ids: Tensor, labels: Tensor) -> Tensor:
        """Return the loss of labels, words and attributes."""
        run, states = self.training_run, self.states(ids)
        real = ids[:, 1:] != PADDING
        with half_precision(ids.device):
            guesses = Guesses(head_states(self.network, states[:, :-1][real]), ids[:, 1:][real], ids[:, :-1][real])
        words = torch.where(guesses.targets < len(run.corpus.vocabulary), guesses.targets, UNKNOWN)
        before = F.cross_entropy(run.logits(guesses.states), words) + run.attribute_loss(guesses)
        return F.cross_entropy(self.labels(states, ids), labels) + RHO * before


class LabelledRows(NamedTuple):
    """Texts as numbers of words, and the number of each one's label."""

    rows: Sequence[Sequence[int]]
    labels: IndexArray


def train_classifier(
    training: Training, train: LabelledRows, dev: LabelledRows, settings: ClassifierSettings, *, seed: int
) -> Classifier:
    """Train a classifier on texts, and keep the epoch that is best on dev."""
    rows, labels = train
    model = Classifier(training, int(labels.max()) + 1, seed)
    steps = -(-len(rows) // settings.batch)

    def batches(epoch: int, first: int) -> list[IndexArray]:
        order = np.random.default_rng([seed, epoch]).permutation(len(rows))
        return [order[step * settings.batch : (step + 1) * settings.batch] for step in range(first, steps)]

    def loss(chosen: IndexArray) -> Tensor:
        ids = padded([rows[row] for row in chosen], training.device)
        return model.loss(ids, torch.from_numpy(labels[chosen]).to(training.device))

    TrainingLoop(
        model,
        TorchOptimiser(torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=0.01)),
        epochs=settings.epochs,
        batches=batches,
        loss=loss,
        learning_rate=linear_schedule(settings.rate, settings.epochs, settings.warm_up),
        seed=seed,
        evaluate=lambda: {"accuracy": float((predict(model, dev.rows) == dev.labels).mean())},
        best="accuracy",
        hooks=[GradientClipping(model, 1.0)],
    ).run()
    return model


def padded(rows: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    """Return texts as one tensor."""
    ids = np.full((len(rows), max(map(len, rows))), PADDING, dtype=np.int64)
    for own, row in zip(ids, rows, strict=True):
        own[: len(row)] = row
    return torch.from_numpy(ids).to(device)


@torch.no_grad()
def predict(model: Classifier, rows: Sequence[Sequence[int]]) -> IndexArray:
    """Return the number of the likeliest label of each text."""
    model.eval()
    order = np.argsort([len(row) for row in rows], kind="stable")
    found = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), TEXTS_AT_ONCE):
        chosen = order[start : start + TEXTS_AT_ONCE]
        ids = padded([rows[row] for row in chosen], model.training_run.device)
        found[chosen] = model(ids).argmax(dim=1).cpu().numpy()
    return found
