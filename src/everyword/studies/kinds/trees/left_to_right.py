"""Networks that read text from left to right and learn from it: to say the next word, or the word just read.

Their states are what studies of trees probe, in the place of translation models: a state has seen a word and all words
before it, and no label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, Positive
from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.learning.batching import by_length, shuffled
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser

IGNORED = -100
Encode = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True)
class ReaderConfig:
    """Size and training of a network that reads text."""

    target: Literal["next", "same"] = "next"
    """Whether a state must say the next word, or the one just read."""
    hidden: Count = 256
    layers: Count = 1
    words: Count = 600_000
    """How many words of the text are read."""
    vocabulary: Count = 3000
    """How many words can be said, the most frequent ones."""
    learning_rate: Positive = 2e-3
    batch: Count = 32
    """Sentences."""
    epochs: Count = 1
    seed: int = 0
    device: str = "cpu"


def read_sentences(path: Path, words: int, longest: int = 60) -> list[list[str]]:
    """Read the first sentences of tokenised paragraphs, until they have so many words; headings are left out."""
    found: list[list[str]] = []
    seen = 0
    for line in read_text(path, "tokenised text"):
        if seen >= words:
            break
        if line.lstrip().startswith("="):
            continue
        for sentence in cut(line.split()):
            found.append(sentence[:longest])
            seen += len(found[-1])
    if not found:
        raise InputError(f"{path} holds no sentences.")
    return found


def cut(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield the sentences of a paragraph.

    >>> list(cut("It rained . Why ? Who".split()))
    [['It', 'rained', '.'], ['Why', '?'], ['Who']]
    """
    sentence: list[str] = []
    for token in tokens:
        sentence.append(token)
        if token in {".", "?", "!"}:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


class Reader(nn.Module):
    """An LSTM over the vectors of words; its states are turned into words by one layer."""

    def __init__(self, config: ReaderConfig, *, dim: int, words: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dim, config.hidden, config.layers, batch_first=True)
        self.output = nn.Linear(config.hidden, words)

    def forward(self, vectors: Tensor) -> Tensor:
        """Return the state after each word of padded sentences."""
        states: Tensor = self.lstm(vectors)[0]
        return states


class TrainedReader:
    """A network that has read a text, and gives its states for the words of others."""

    def __init__(self, sentences: Sequence[Sequence[str]], encode: Encode, config: ReaderConfig) -> None:
        self.config, self.encode = config, encode
        counts = Counter(token for sentence in sentences for token in sentence)
        said = [word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[: config.vocabulary]]
        number = {word: place for place, word in enumerate(said)}
        self.targets = [
            [number.get(word, IGNORED) for word in ([*sentence[1:], ""] if config.target == "next" else sentence)]
            for sentence in sentences
        ]
        self.inputs = _Inputs(sentences, encode, config.device)
        torch.manual_seed(config.seed)
        self.network = Reader(config, dim=self.inputs.matrix.shape[1], words=len(said)).to(config.device)
        self.loop = TrainingLoop(
            self.network,
            TorchOptimiser(torch.optim.Adam(self.network.parameters(), lr=config.learning_rate)),
            epochs=config.epochs,
            batches=self._batches,
            loss=self._loss,
            seed=config.seed,
        )

    def train(self) -> TrainedReader:
        """Read the text."""
        self.loop.run()
        return self

    def _batches(self, epoch: int, first: int) -> list[IndexArray]:
        rng = np.random.default_rng([self.config.seed, epoch])
        return shuffled(self.inputs.lengths, self.config.batch, rng)[first:]

    def _loss(self, rows: IndexArray) -> Tensor:
        longest = int(self.inputs.lengths[rows].max())
        targets = torch.tensor([[*self.targets[row], *[IGNORED] * (longest - len(self.targets[row]))] for row in rows])
        flat = targets.flatten().to(self.config.device)
        states = self.network(self.inputs.padded(rows)).flatten(0, 1)[flat != IGNORED]
        return F.cross_entropy(self.network.output(states), flat[flat != IGNORED])

    @torch.inference_mode()
    def states(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return the state after each word of texts, one text after the other."""
        self.network.eval()
        inputs = _Inputs(texts, self.encode, self.config.device)
        starts = np.concatenate([[0], np.cumsum(inputs.lengths)])
        found = np.empty((int(starts[-1]), self.config.hidden), dtype=np.float32)
        for rows in by_length(inputs.lengths, 64):
            states = self.network(inputs.padded(rows)).cpu().numpy()
            for row, some in zip(rows.tolist(), states, strict=True):
                found[starts[row] : starts[row + 1]] = some[: inputs.lengths[row]]
        return found


class _Inputs:
    """Sentences as rows of a matrix of word vectors, whose first row is padding."""

    def __init__(self, sentences: Sequence[Sequence[str]], encode: Encode, device: str) -> None:
        row_of = {word: row for row, word in enumerate(dict.fromkeys(w for one in sentences for w in one), start=1)}
        vectors = encode(list(row_of))
        scaled = vectors / np.float32(vectors.std() or 1.0)
        padding = np.zeros((1, scaled.shape[1]), dtype=np.float32)
        self.matrix = torch.from_numpy(np.concatenate([padding, scaled.astype(np.float32)])).to(device)
        self.rows = [torch.tensor([row_of[word] for word in sentence]) for sentence in sentences]
        self.lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)

    def padded(self, rows: IndexArray) -> Tensor:
        """Return the vectors of sentences, filled up at the end."""
        filled = nn.utils.rnn.pad_sequence([self.rows[row] for row in rows.tolist()], batch_first=True)
        return self.matrix[filled.to(self.matrix.device)]
