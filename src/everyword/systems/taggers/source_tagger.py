"""A BiLSTM-CRF tagger over several sources of word vectors: training, tagging, and reading which source counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import Tensor

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray, read_tensors
from everyword.atomic import write_atomic
from everyword.config import Count, Natural, OpenFraction, Positive
from everyword.errors import InputError
from everyword.files import parse_json
from everyword.learning.batching import by_length, pad, shuffled
from everyword.learning.hooks import GradientClipping
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.word_vectors import WordVectors
from everyword.systems.taggers.bilstm import Tagger
from everyword.systems.taggers.meta_attention import SourceInput
from everyword.systems.taggers.sources import Combination, CombinerConfig, Source, Sources

FORMAT = "source-tagger.v1"
AT_ONCE = 256
Sentences = Sequence[Sequence[str]]
Score = Callable[[Sentences, Sentences], float]
"""From the correct tags and those given to a number, the higher the better."""


@dataclass(frozen=True)
class SourceTaggerConfig:
    """A tagger over sources of vectors, and how it is trained."""

    combiner: CombinerConfig = field(default_factory=CombinerConfig)
    states: Count = 256
    """Of the LSTM, in each direction."""
    dropout: OpenFraction = 0.1
    crf: bool = True
    epochs: Count = 20
    patience: Count | None = None
    """Training stops after this many epochs without a better score on dev."""
    batch: Count = 32
    learning_rate: Positive = 2e-3
    clip: Positive = 5.0
    """The largest norm of a gradient."""
    seed: Natural = 0


@dataclass(frozen=True)
class Tagged:
    """Sentences as tokens, and the tag of each token."""

    tokens: Sentences
    tags: Sentences

    def check(self, what: str) -> None:
        """Raise InputError if there is nothing to read or a token has no tag."""
        if not self.tokens:
            raise InputError(f"There are no sentences {what}; one or more are needed.")
        for number, (tokens, tags) in enumerate(zip(self.tokens, self.tags, strict=True), start=1):
            if not tokens or len(tokens) != len(tags):
                raise InputError(f"Sentence {number} {what} has {len(tokens)} tokens and {len(tags)} tags.")


class SourceTagger:
    """Gives tokens tags.

    Args:
        sources: Where the vectors of words come from.
        labels: All tags.
        config: The network.
        device: Where it runs.
    """

    def __init__(
        self, sources: Sequence[Source], labels: Sequence[str], config: SourceTaggerConfig, device: str = "cpu"
    ) -> None:
        configs.check(config)
        self.sources = Sources(sources, config.combiner.length)
        self.labels, self.config, self.device = list(labels), config, device
        self.words = WordVectors(self.sources.encode, self.sources.dim)
        self.read = SourceInput(self.words, self.sources.dims, config.combiner)
        self.network = Tagger(
            self.read, len(self.labels), hidden=2 * config.states, dropout=config.dropout, crf=config.crf
        ).to(device)

    def tag(self, sentences: Sentences) -> list[list[str]]:
        """Return a tag for each token; a sentence without tokens has none."""
        self.network.eval()
        rows = self.words.rows(sentences)
        found: list[list[str]] = [[] for _ in rows]
        for indices, padded, lengths in self._batches(rows):
            for index, tags in zip(indices, self.network.best(padded, lengths), strict=True):
                found[index] = [self.labels[tag] for tag in tags]
        return found

    @torch.no_grad()
    def weights(self, sentences: Sentences) -> list[FloatArray]:
        """Return how much each source counts for each token: per sentence an array (tokens, sources).

        The columns are in the order of `sources.names`; a row adds up to 1, or to 0 if no source has the token.
        """
        self.network.eval()
        rows = self.words.rows(sentences)
        if not rows:
            return []
        distinct, index = np.unique(np.concatenate(rows), return_inverse=True)
        weights = self.read.combined(torch.from_numpy(distinct).to(self.device))[1].cpu().numpy()
        return np.split(cast(FloatArray, weights[index]), np.cumsum([len(row) for row in rows])[:-1])

    def combination(self) -> Combination:
        """Return the combination of the sources, for use without torch."""
        return self.read.combiner.frozen(self.sources.names)

    def save(self, path: Path) -> None:
        """Write weights, tags, configuration and the names of the sources; the sources themselves are not saved."""
        from safetensors.numpy import save

        weights = {name: weight.cpu().contiguous().numpy() for name, weight in self.network.state_dict().items()}
        record = {
            "config": configs.to_dict(self.config),
            "labels": self.labels,
            "sources": [[name, dim] for name, dim in zip(self.sources.names, self.sources.dims, strict=True)],
        }
        write_atomic(path, save(weights, metadata={"format": FORMAT, "record": json.dumps(record)}))

    @classmethod
    def load(cls, path: Path, sources: Sequence[Source], device: str = "cpu") -> SourceTagger:
        """Read what `save` wrote.

        Args:
            path: The file.
            sources: Those of the training, in the same order.
            device: Where the tagger runs.
        """
        try:
            weights, metadata = read_tensors(path)
            if metadata.get("format") != FORMAT:
                raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
            record = dict(parse_json(metadata["record"]))
            config = configs.build(SourceTaggerConfig, record["config"], "the record")
            expected = [(str(name), int(dim)) for name, dim in record["sources"]]
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; check the path.") from None
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} cannot be read as a tagger: {error}. Train or copy it again.") from None
        given = [(source.name, source.dim) for source in sources]
        if given != expected:
            raise InputError(f"{path} needs the sources {_listed(expected)}. Got {_listed(given)}.")
        tagger = cls(sources, record["labels"], config, device)
        tagger.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return tagger

    def _batches(self, rows: Sequence[IndexArray]) -> Iterator[tuple[IndexArray, Tensor, Tensor]]:
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        there = np.flatnonzero(sizes)
        for chosen in by_length(sizes[there], AT_ONCE):
            indices = there[chosen]
            padded, lengths = pad([rows[index] for index in indices])
            yield indices, padded.to(self.device), lengths.to(self.device)


@dataclass(frozen=True)
class TrainedTagger:
    """A trained tagger with its score on dev."""

    tagger: SourceTagger
    dev: float
    epoch: int
    """The epoch of its weights, from 1."""


def train_tagger(
    train: Tagged,
    dev: Tagged,
    sources: Sequence[Source],
    config: SourceTaggerConfig | None = None,
    *,
    score: Score | None = None,
    device: str = "cpu",
    run: RunContext | None = None,
) -> TrainedTagger | None:
    """Train a tagger, and keep the weights of the epoch that is best on dev.

    Args:
        train: What it learns from.
        dev: What the epoch is chosen by.
        sources: Where the vectors of words come from.
        config: The network and its training.
        score: By default the share of tokens with the correct tag.
        device: Where it runs.
        run: Where its state is kept; by default nothing is.

    Returns:
        The tagger, or None if Ctrl-C stopped a training that can be resumed.
    """
    config = config or SourceTaggerConfig()
    train.check("to learn from")
    dev.check("of dev")
    labels = sorted({tag for tags in train.tags for tag in tags})
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        tagger = SourceTagger(sources, labels, config, device)
        rows = tagger.words.rows(train.tokens)
        if not tagger.words.vectors.any():
            raise InputError("No source has a vector for any word of the training data; are they of this language?")
        number = {label: position for position, label in enumerate(labels)}
        targets = [np.array([number[tag] for tag in tags], dtype=np.int64) for tags in train.tags]
        sizes = np.array([len(row) for row in rows], dtype=np.int64)

        def loss(chosen: IndexArray) -> Tensor:
            padded, lengths = pad([rows[index] for index in chosen])
            tags, _ = pad([targets[index] for index in chosen])
            return tagger.network.loss(padded.to(device), lengths.to(device), tags.to(device))

        loop = TrainingLoop(
            tagger.network,
            TorchOptimiser(torch.optim.Adam(tagger.network.parameters(), lr=config.learning_rate)),
            epochs=config.epochs,
            batches=lambda epoch, first: shuffled(sizes, config.batch, np.random.default_rng([config.seed, epoch]))[
                first:
            ],
            loss=loss,
            seed=config.seed,
            evaluate=lambda: {"dev": (score or token_share)(dev.tags, tagger.tag(dev.tokens))},
            best="dev",
            patience=config.patience,
            hooks=[GradientClipping(tagger.network, config.clip)],
            run=run,
        )
        if not loop.run():
            return None
    return TrainedTagger(tagger, loop.progress.best_score, loop.progress.best_epoch + 1)


def token_share(correct: Sentences, given: Sentences) -> float:
    """Return the share of tokens with the correct tag.

    >>> token_share([["DET", "NOUN"], ["VERB"]], [["DET", "VERB"], ["VERB"]])
    0.6666666666666666
    """
    pairs = [pair for one, other in zip(correct, given, strict=True) for pair in zip(one, other, strict=True)]
    return sum(one == other for one, other in pairs) / len(pairs)


def _listed(sources: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({dim} dimensions)" for name, dim in sources)
