"""The span probe: how much of the labels of spans can be read from frozen token vectors, by pooling.

As in Toshniwal et al. (2020): a mixture of layers, a projection to 256 dimensions, a pooling, and a classifier with one
hidden layer that decides on each label by itself. Scored by micro-averaged F1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import BoolArray, IndexArray
from everyword.config import Count, OpenFraction, Positive
from everyword.errors import InputError
from everyword.evaluation.compare import ItemResults
from everyword.evaluation.probes.span_data import SpanExample, SpanSet
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.evaluation.probes.trees import Span
from everyword.learning.batching import by_length, shuffled
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.sentences.spans import coherent_parts, pooled_size

F1 = "f1"


@dataclass(frozen=True)
class SpanProbeConfig:
    """Size and training of a probe."""

    pooling: str = "average"
    projection: Count = 256
    hidden: Count = 256
    dropout: OpenFraction = 0.3
    threshold: OpenFraction = 0.5
    """A label whose probability is above this is predicted."""
    layers: Literal["mixture", "uniform"] = "mixture"
    """Whether the weights of layers are learnt, or all are the same."""
    learning_rate: Positive = 5e-4
    batch: Count = 64
    epochs: Count = 10
    patience: Count = 3
    """Stop after this many epochs without a better F1 on dev."""
    seed: int = 0


class SpanPooling(nn.Module):
    """A pooling as a layer: as in `everyword.sentences.spans`, with weights of attention that are learnt."""

    def __init__(self, name: str, dim: int) -> None:
        super().__init__()
        self.name, self.size = name, pooled_size(name, dim)
        self.keep, self.multiply = coherent_parts(dim) if name == "coherent" else (0, 0)
        self.attention = nn.Parameter(torch.zeros(dim)) if name == "attention" else None

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Pool spans (spans, length, dim) of which the mask marks the tokens, from the first on."""
        if self.name == "max":
            return tokens.masked_fill(~mask[..., None], -torch.inf).max(dim=1).values
        if self.name == "average":
            return (tokens * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        if self.attention is not None:
            scores = (tokens @ self.attention).masked_fill(~mask, -torch.inf)
            return (F.softmax(scores, dim=1)[..., None] * tokens).sum(dim=1)
        first, last = tokens[:, 0], tokens[torch.arange(len(tokens)), mask.sum(dim=1) - 1]
        if self.name == "endpoint":
            return torch.cat([first, last], dim=1)
        if self.name == "diff-sum":
            return torch.cat([last + first, last - first], dim=1)
        third, fourth = 2 * self.keep, 2 * self.keep + self.multiply
        product = (first[:, third:fourth] * last[:, fourth : fourth + self.multiply]).sum(dim=1, keepdim=True)
        return torch.cat([first[:, : self.keep], last[:, self.keep : third], product], dim=1)


class SpanProbe(nn.Module):
    """Mixture of layers, projection, pooling and classifier; two spans are pooled alike and put side by side.

    Spans that play different parts, such as a predicate and its argument, have a projection each.
    """

    def __init__(
        self, config: SpanProbeConfig, *, dim: int, layers: int, spans: int, labels: int, unlike: bool = False
    ) -> None:
        super().__init__()
        self.mixture = nn.Parameter(torch.ones(layers), requires_grad=config.layers == "mixture")
        self.projections = nn.ModuleList(nn.Linear(dim, config.projection) for _ in range(spans if unlike else 1))
        self.pooling = SpanPooling(config.pooling, config.projection)
        self.classifier = nn.Sequential(
            nn.Linear(spans * self.pooling.size, config.hidden),
            nn.Tanh(),
            nn.LayerNorm(config.hidden),
            nn.Dropout(config.dropout),
            nn.Linear(config.hidden, labels),
        )

    def forward(self, spans: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
        """Return the logits of labels, given the tokens (examples, length, layers, dim) and mask of each span."""
        weights = F.softmax(self.mixture, dim=0)
        pooled = []
        for place, (tokens, mask) in enumerate(spans):
            projection = self.projections[place % len(self.projections)]
            pooled.append(self.pooling(projection(torch.einsum("btld,l->btd", tokens, weights)), mask))
        logits: Tensor = self.classifier(torch.cat(pooled, dim=1))
        return logits


@dataclass(frozen=True)
class SpanScores:
    """What a probe found."""

    f1: float
    """Micro-averaged, in percent, on test."""
    recalls: dict[str, float]
    """By label, in percent."""
    counts: dict[str, int]
    """How many examples of test have each label."""
    dev: float
    size: int
    """How many numbers the pooling makes of a span."""


def micro_f1(predicted: BoolArray, gold: BoolArray) -> float:
    """Return the F1 over all decisions together, in percent.

    >>> micro_f1(np.array([[True, False], [True, True]]), np.array([[True, False], [False, True]]))
    80.0
    """
    right, total = int((predicted & gold).sum()), int(predicted.sum() + gold.sum())
    return 100 * 2 * right / total if total else 0.0


class ProbeTraining:
    """A probe, its examples and the loop that trains it."""

    def __init__(self, data: SpanSet, vectors: TokenVectors, config: SpanProbeConfig) -> None:
        if not all(data.examples.values()):
            raise InputError(f"{data.name} needs examples in train, dev and test.")
        self.data, self.vectors, self.config = data, vectors, config
        self.labels = data.labels
        torch.manual_seed(config.seed)
        spans = len(data.examples["train"][0].spans)
        _, layers, dim = vectors.vectors.shape
        self.probe = SpanProbe(config, dim=dim, layers=layers, spans=spans, labels=len(self.labels), unlike=data.unlike)
        self.loop = TrainingLoop(
            self.probe,
            TorchOptimiser(torch.optim.Adam(self.probe.parameters(), lr=config.learning_rate)),
            epochs=config.epochs,
            batches=self._batches,
            loss=self._loss,
            seed=config.seed,
            evaluate=lambda: {F1: self.score("dev")},
            best=F1,
            patience=config.patience,
        )

    def train(self) -> SpanScores:
        """Train the probe and score it on test with the weights that are best on dev."""
        self.loop.run()
        predicted, gold = self.predict(self.data.examples["test"]), self.gold(self.data.examples["test"])
        counts = gold.sum(axis=0)
        recalls = 100 * (predicted & gold).sum(axis=0) / np.maximum(counts, 1)
        named = {label: row for row, label in enumerate(self.labels) if counts[row]}
        return SpanScores(
            micro_f1(predicted, gold),
            {label: float(recalls[row]) for label, row in named.items()},
            {label: int(counts[row]) for label, row in named.items()},
            self.loop.progress.best_score,
            self.probe.pooling.size,
        )

    def score(self, split: str) -> float:
        """Return the micro-averaged F1 on a split."""
        return micro_f1(self.predict(self.data.examples[split]), self.gold(self.data.examples[split]))

    def items(self, name: str = "") -> ItemResults:
        """Return each example of test: whether all its labels are right, its first span, labels and text."""
        examples = self.data.examples["test"]
        predicted, gold = self.predict(examples), self.gold(examples)
        return ItemResults(
            name,
            (predicted == gold).all(axis=1).astype(np.float32),
            words=tuple(self.data.words_of(example) for example in examples),
            gold=tuple(" ".join(example.labels) for example in examples),
            predicted=tuple(" ".join(np.array(self.labels)[row].tolist()) for row in predicted),
            groups=tuple(example.text for example in examples),
        )

    @torch.inference_mode()
    def predict(self, examples: Sequence[SpanExample]) -> BoolArray:
        """Return which labels are predicted, (examples, labels)."""
        self.probe.eval()
        found = np.zeros((len(examples), len(self.labels)), dtype=np.bool_)
        for rows in by_length(lengths_of(examples)):
            logits = self.probe(self.inputs([examples[row] for row in rows.tolist()]))
            found[rows] = (logits.sigmoid() > self.config.threshold).numpy()
        return found

    def gold(self, examples: Sequence[SpanExample]) -> BoolArray:
        """Return which labels apply, (examples, labels); labels that train lacks are left out."""
        row_of = {label: row for row, label in enumerate(self.labels)}
        found = np.zeros((len(examples), len(self.labels)), dtype=np.bool_)
        for number, example in enumerate(examples):
            found[number, [row_of[label] for label in example.labels if label in row_of]] = True
        return found

    def inputs(self, examples: Sequence[SpanExample]) -> list[tuple[Tensor, Tensor]]:
        """Return the tokens and the mask of the first spans of examples, and of the second ones if there are any."""
        slots = range(len(examples[0].spans))
        return [self._padded([(example.text, example.spans[slot]) for example in examples]) for slot in slots]

    def _padded(self, spans: Sequence[tuple[int, Span]]) -> tuple[Tensor, Tensor]:
        starts = self.vectors.starts
        lengths = np.array([last - first + 1 for _, (first, last) in spans])
        begins = np.array([starts[text] + first for text, (first, _) in spans])
        steps = np.arange(lengths.max())
        mask = steps < lengths[:, None]
        rows = np.where(mask, begins[:, None] + steps, begins[:, None])
        tokens = self.vectors.vectors[rows].astype(np.float32)
        return torch.from_numpy(tokens), torch.from_numpy(mask)

    def _batches(self, epoch: int, first: int) -> list[IndexArray]:
        rng = np.random.default_rng([self.config.seed, epoch])
        return shuffled(lengths_of(self.data.examples["train"]), self.config.batch, rng)[first:]

    def _loss(self, rows: IndexArray) -> Tensor:
        examples = [self.data.examples["train"][row] for row in rows.tolist()]
        gold = torch.from_numpy(self.gold(examples).astype(np.float32))
        return F.binary_cross_entropy_with_logits(self.probe(self.inputs(examples)), gold)


def lengths_of(examples: Sequence[SpanExample]) -> IndexArray:
    """Return the length of the longest span of each example."""
    return np.array([max(last - first + 1 for first, last in example.spans) for example in examples], dtype=np.int64)


def probe_spans(data: SpanSet, vectors: TokenVectors, config: SpanProbeConfig) -> SpanScores:
    """Train a probe on the labelled spans of a set, and score it.

    Args:
        data: Texts and labelled spans.
        vectors: The vectors of their tokens.
        config: Pooling, size and training.

    Returns:
        Micro-averaged F1 on test, and the recall of each label.

    Raises:
        InputError: If a split has no examples.
    """
    return ProbeTraining(data, vectors, config).train()
