"""The networks of text classifiers: rows of words → features of texts → scores of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.learning.batching import by_length, pad
from everyword.learning.device import pick_device
from everyword.learning.saved_weights import loaded
from everyword.learning.sources import Sources
from everyword.learning.word_vectors import PADDING, WordVectors
from everyword.systems.classifiers.attention import AttentionConfig, AttentionNetwork
from everyword.systems.classifiers.classifier import ClassifierConfig
from everyword.systems.classifiers.text_cnn import TextCnn

AT_ONCE = 128
MOST_WORDS = 200_000
"""Vectors of words that are kept for the next texts; when there are more, they are made anew."""


class Passed(NamedTuple):
    """What a network makes of a batch of texts."""

    features: Tensor
    """What the output layer reads, (texts, width)."""
    scores: Tensor
    """(texts, labels)."""
    states: Tensor | None
    """Of words, (texts, words, width of states), if the network has any."""
    inputs: Tensor
    """The vectors of words that were read, (texts, words, dim)."""


class Lookup(nn.Module):
    """Rows of words → their vectors, which are not trained."""

    def __init__(self, words: WordVectors) -> None:
        super().__init__()
        self.words = words

    def forward(self, rows: Tensor) -> Tensor:
        return self.words.look_up(rows)


class ClassifierNetwork(nn.Module):
    """Base class: a subclass gives the features of texts, and perhaps states of their words.

    Args:
        words: The vectors of words.
        labels: How many labels there are.
        width: The length of the features.
        config: Sizes and dropout.
        unit: Whether features are scaled to length 1 before the output layer.
    """

    state_width = 0
    """The length of the states of words."""

    def __init__(self, words: WordVectors, labels: int, width: int, config: ClassifierConfig, unit: bool) -> None:
        super().__init__()
        self.read, self.dim, self.width, self.unit = Lookup(words), words.dim, width, unit
        self.input_dropout, self.dropout = nn.Dropout(config.input_dropout), nn.Dropout(config.dropout)
        self.output = nn.Linear(width, labels)

    def forward(self, rows: Tensor, lengths: Tensor, inputs: Tensor | None = None) -> Passed:
        """Read texts.

        Args:
            rows: The rows of words, (texts, words); row 0 is padding.
            lengths: How many words each text has, 1 or more.
            inputs: Vectors to read instead of those of the words, (texts, words, dim).
        """
        vectors = self.read(rows) if inputs is None else inputs
        features, states = self.features(self.input_dropout(vectors), lengths.to(vectors.device))
        if self.unit:
            features = F.normalize(features, dim=1)
        return Passed(features, self.output(self.dropout(features)), states, vectors)

    def features(self, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the features of texts, and the states of their words or None."""
        raise NotImplementedError


class LinearNetwork(ClassifierNetwork):
    """The mean of the word vectors of a text."""

    def __init__(self, words: WordVectors, labels: int, config: ClassifierConfig, unit: bool) -> None:
        super().__init__(words, labels, words.dim, config, unit)

    def features(self, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, None]:
        return vectors.sum(dim=1) / lengths[:, None], None


class CnnNetwork(ClassifierNetwork):
    """The strongest answers of filters over windows of words."""

    def __init__(self, words: WordVectors, labels: int, config: ClassifierConfig, unit: bool) -> None:
        super().__init__(words, labels, len(config.widths) * config.filters, config, unit)
        self.body = TextCnn(words.dim, 1, widths=config.widths, filters=config.filters, dropout=0.0)
        del self.body.output

    def features(self, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, None]:
        return self.body.features(vectors, lengths), None


class LstmNetwork(ClassifierNetwork):
    """The largest value, over the words of a text, of each state of a bidirectional LSTM."""

    def __init__(self, words: WordVectors, labels: int, config: ClassifierConfig, unit: bool) -> None:
        self.state_width = 2 * config.states
        super().__init__(words, labels, self.state_width, config, unit)
        self.lstm = nn.LSTM(words.dim, config.states, config.layers, batch_first=True, bidirectional=True)

    def features(self, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        packed = pack_padded_sequence(vectors, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=vectors.shape[1])
        outside = torch.arange(vectors.shape[1], device=vectors.device) >= lengths[:, None]
        return states.masked_fill(outside[:, :, None], float("-inf")).amax(dim=1), states


class AttentiveNetwork(ClassifierNetwork):
    """The states of a bidirectional LSTM, weighted by attention."""

    def __init__(self, words: WordVectors, labels: int, config: ClassifierConfig, unit: bool) -> None:
        own = AttentionConfig(config.attention, config.sums, config.states, config.layers, dropout=0.0)
        body = AttentionNetwork(words.dim, labels, own)
        self.state_width = cast(nn.Linear, body.output).in_features
        super().__init__(words, labels, self.state_width, config, unit)
        # With the output layer outside, what it calls scores is the weighted sum of states.
        body.output, self.body = nn.Identity(), body

    def features(self, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        passed = self.body(vectors, lengths)
        return passed.scores, passed.states


class TfIdfNetwork(ClassifierNetwork):
    """The words of a text by themselves, weighted by how rare they are; it reads no vectors."""

    def __init__(self, words: WordVectors, labels: int, config: ClassifierConfig, idf: FloatArray) -> None:
        super().__init__(words, labels, len(idf), config, unit=True)
        self.idf: Tensor
        self.register_buffer("idf", torch.from_numpy(idf))

    def forward(self, rows: Tensor, lengths: Tensor, inputs: Tensor | None = None) -> Passed:
        """Read texts; words that were not in training have no influence."""
        known = torch.where(rows < len(self.idf), rows, PADDING)
        counts = torch.zeros(len(rows), len(self.idf), device=rows.device)
        counts.scatter_add_(1, known, torch.ones_like(known, dtype=counts.dtype))
        features = F.normalize(counts.log1p() * self.idf, dim=1)
        return Passed(features, self.output(self.dropout(features)), None, counts[:, :0, None])


NETWORKS: dict[str, type[ClassifierNetwork]] = {
    "linear": LinearNetwork,
    "cnn": CnnNetwork,
    "lstm": LstmNetwork,
    "attention": AttentiveNetwork,
}


def new_network(
    config: ClassifierConfig, words: WordVectors, labels: int, *, unit: bool = False, idf: FloatArray | None = None
) -> ClassifierNetwork:
    """Return a fresh network, for which `idf` has a weight for each row of words if it reads words only."""
    if config.network == "tfidf":
        return TfIdfNetwork(words, labels, config, np.ones(1, dtype=np.float32) if idf is None else idf)
    network = NETWORKS[config.network]
    return network(words, labels, config, unit)  # type: ignore[call-arg]


class TorchPass:
    """Texts as tokens → scores, by a network of torch."""

    def __init__(self, network: ClassifierNetwork, device: str = "cpu") -> None:
        self.network, self.device = network.to(device), device

    @property
    def words(self) -> WordVectors:
        """The vectors of words."""
        return self.network.read.words

    def rows(self, texts: Sequence[Sequence[str]]) -> list[IndexArray]:
        """Return the rows of the words of texts; a text without words has one that has no meaning."""
        return [row if len(row) else np.array([PADDING]) for row in self.words.rows(texts)]

    def scores(self, rows: Sequence[IndexArray]) -> FloatArray:
        """Return the scores of labels, (texts, labels)."""
        return self._collected(rows, "scores", self.network.output.out_features)

    def features(self, rows: Sequence[IndexArray]) -> FloatArray:
        """Return what the output layer reads, (texts, width)."""
        return self._collected(rows, "features", self.network.width)

    @torch.no_grad()
    def _collected(self, rows: Sequence[IndexArray], part: str, width: int) -> FloatArray:
        self.network.eval()
        found: FloatArray = np.zeros((len(rows), width), dtype=np.float32)
        for indices in by_length(np.array([len(row) for row in rows], dtype=np.int64), AT_ONCE):
            padded, lengths = pad([rows[index] for index in indices])
            found[indices] = getattr(self.network(padded.to(self.device), lengths), part).cpu().numpy()
        return found

    def __call__(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return the scores of labels, (texts, labels)."""
        if len(self.words) > MOST_WORDS:
            self.network.read.words = self.words.anew()
        return self.scores(self.rows(texts))


def loaded_pass(
    weights: dict[str, AnyArray], config: ClassifierConfig, sources: Sources | None, *, unit: bool, device: str
) -> TorchPass:
    """Return a saved network, ready for use."""
    assert sources is not None
    words, labels = WordVectors(sources.encode, sources.dim), len(weights["output.bias"])
    network = loaded(lambda: new_network(config, words, labels, unit=unit), weights)
    return TorchPass(network.eval(), str(pick_device(device)))
