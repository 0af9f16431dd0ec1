"""A tagger that reads vectors of words and their characters: what it is made of, tagging, saving and loading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray, read_tensors, tensor_bytes
from everyword.atomic import write_atomic
from everyword.config import Count, Natural, NonNegative, OpenFraction, Positive
from everyword.corpus.labelled.sets import Scheme
from everyword.errors import InputError
from everyword.files import parse_json
from everyword.learning.batching import by_length, pad
from everyword.learning.characters import characters_of
from everyword.learning.crf import barred_in_bio
from everyword.learning.pruning import Share
from everyword.learning.word_vectors import WordVectors
from everyword.systems.taggers.bilstm import EntityHeads, Tagger
from everyword.systems.taggers.experts import categories, category
from everyword.systems.taggers.meta_attention import SourceInput
from everyword.systems.taggers.sources import Combination, CombinerConfig, Source, Sources

FORMAT = "tagger.v1"
AT_ONCE = 256
MOST_WORDS = 200_000
"""Vectors of words that are kept for the next text; when there are more, they are made anew."""
Sentences = Sequence[Sequence[str]]


@dataclass(frozen=True)
class TaggerConfig:
    """A tagger over sources of vectors, and how it is trained."""

    combiner: CombinerConfig = field(default_factory=CombinerConfig)
    characters: Natural = 25
    """States of an LSTM over the characters of a word, in each direction; 0 for none."""
    states: Count = 200
    """Of the LSTM over words, in each direction."""
    layers: Count = 1
    dropout: OpenFraction = 0.3
    crf: bool = True
    experts: Natural = 0
    """The length of the output of an expert for each category of entities; 0 for none."""
    entity_task: bool = False
    """Whether it also learns which tokens are entities, of whatever kind."""
    adversarial: NonNegative = 0.0
    """Learn under the worst change of the input vectors, this large beside their coordinates; 0 for none."""
    prune: Share = 0.0
    """The share of each weight matrix that becomes zero during the first half of training."""
    epochs: Count = 20
    patience: Count | None = 5
    """Training stops after this many epochs without a better score on dev."""
    batch: Count = 32
    learning_rate: Positive = 2e-3
    decay: NonNegative = 0.0
    """The learning rate of epoch n is divided by 1 + decay · n."""
    clip: Positive = 5.0
    """The largest norm of a gradient."""
    seed: Natural = 0

    def problems(self) -> list[str]:
        wrong = self.entity_task and not self.crf
        return ["entity_task needs crf = true: both tasks are scored by sequence"] if wrong else []


class TaggedTokens(NamedTuple):
    """The tags of a sentence."""

    tags: list[str]
    confidences: list[float]
    """The probability of each tag."""


class SequenceTagger:
    """Gives tokens tags.

    Args:
        sources: Where the vectors of words come from.
        labels: All tags.
        config: The network.
        device: Where it runs.
        alphabet: The characters that it tells apart.
        scheme: "bio" if tags mark spans.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        labels: Sequence[str],
        config: TaggerConfig,
        device: str = "cpu",
        *,
        alphabet: str = "",
        scheme: Scheme = "plain",
    ) -> None:
        configs.check(config)
        self.sources = Sources(sources, config.combiner.length)
        self.labels, self.config, self.device, self.alphabet = list(labels), config, device, alphabet
        self.scheme: Scheme = scheme
        self.words = WordVectors(self.sources.encode, self.sources.dim)
        characters = characters_of(alphabet, config.characters) if config.characters else None
        self.read = SourceInput(self.words, self.sources.dims, config.combiner, characters)
        self.categories = categories(self.labels)
        self.network = Tagger(
            self.read,
            len(self.labels),
            hidden=2 * config.states,
            dropout=config.dropout,
            crf=config.crf,
            layers=config.layers,
            entities=EntityHeads(
                tuple(self.categories.index(category(label)) for label in self.labels),
                config.experts,
                config.entity_task,
            ),
        ).to(device)
        self._barred = barred_in_bio(self.labels, device) if scheme == "bio" else None

    def tag(self, sentences: Sentences) -> list[list[str]]:
        """Return a tag for each token; a sentence without tokens has none."""
        self.network.eval()
        rows = self._rows(sentences)
        found: list[list[str]] = [[] for _ in rows]
        for indices, padded, lengths in self._batches(rows):
            for index, tags in zip(indices, self.network.best(padded, lengths, self._barred), strict=True):
                found[index] = [self.labels[tag] for tag in tags]
        return found

    def tag_with_confidence(self, sentences: Sentences) -> list[TaggedTokens]:
        """Return a tag for each token, and its probability."""
        tags, number = self.tag(sentences), {label: position for position, label in enumerate(self.labels)}
        rows = self._rows(sentences)
        found = [TaggedTokens(one, []) for one in tags]
        for indices, padded, lengths in self._batches(rows):
            shares = self.network.probabilities(padded, lengths).cpu().numpy()
            for index, row in zip(indices, shares, strict=True):
                given = [number[tag] for tag in tags[index]]
                found[index] = TaggedTokens(tags[index], row[np.arange(len(given)), given].astype(float).tolist())
        return found

    @torch.no_grad()
    def weights(self, sentences: Sentences) -> list[FloatArray]:
        """Return how much each source counts for each token: per sentence an array (tokens, sources).

        The columns are in the order of `sources.names`; a row adds up to 1, or to 0 if no source has the token.
        """
        self.network.eval()
        rows = self._rows(sentences)
        if not rows:
            return []
        distinct, index = np.unique(np.concatenate(rows), return_inverse=True)
        weights = self.read.combined(torch.from_numpy(distinct).to(self.device))[1].cpu().numpy()
        return np.split(cast(FloatArray, weights[index]), np.cumsum([len(row) for row in rows])[:-1])

    @torch.no_grad()
    def expert_weights(self, sentences: Sentences) -> list[FloatArray]:
        """Return how much each expert counts for each token: per sentence (tokens, `categories`); rows add up to 1."""
        if not self.config.experts:
            raise InputError("This tagger has no experts; train one with experts.")
        self.network.eval()
        rows = self._rows(sentences)
        found: list[FloatArray] = [np.zeros((0, len(self.categories)), dtype=np.float32) for _ in rows]
        for indices, padded, lengths in self._batches(rows):
            gate = self.network.gate(padded, lengths).cpu().numpy()
            for index, weights, length in zip(indices, gate, lengths.tolist(), strict=True):
                found[index] = weights[:length]
        return found

    def combination(self) -> Combination:
        """Return the combination of the sources, for use without torch."""
        return self.read.combiner.frozen(self.sources.names)

    def save(self, path: Path, notes: dict[str, Any] | None = None) -> None:
        """Write weights, tags, configuration and the names of the sources; the sources themselves are not saved.

        Zeros of a pruned tagger are left out, so that its file is smaller.

        Args:
            path: A file that ends in .safetensors.
            notes: What else is to be told, as plain values.
        """
        weights = {name: weight.cpu().contiguous().numpy() for name, weight in self.network.state_dict().items()}
        record = {
            "config": configs.to_dict(self.config),
            "labels": self.labels,
            "scheme": self.scheme,
            "alphabet": self.alphabet,
            "sources": [[name, dim] for name, dim in zip(self.sources.names, self.sources.dims, strict=True)],
            "notes": notes or {},
        }
        write_atomic(path, tensor_bytes(weights, {"format": FORMAT, "record": json.dumps(record)}))

    @classmethod
    def load(cls, path: Path, sources: Sequence[Source], device: str = "cpu") -> SequenceTagger:
        """Read what `save` wrote.

        Args:
            path: The file.
            sources: Those of the training, in the same order.
            device: Where the tagger runs.
        """
        weights, record = read_tagger_file(path)
        expected = [(str(name), int(dim)) for name, dim in record["sources"]]
        given = [(source.name, source.dim) for source in sources]
        if [dim for _, dim in given] != [dim for _, dim in expected]:
            raise InputError(f"{path} needs the sources {_listed(expected)}. Got {_listed(given)}.")
        config = configs.build(TaggerConfig, record["config"], str(path))
        options = {"alphabet": record["alphabet"], "scheme": record["scheme"]}
        tagger = cls(sources, record["labels"], config, device, **options)
        try:
            tagger.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        except RuntimeError:
            raise InputError(f"The weights in {path} do not fit its configuration. Train or copy it again.") from None
        return tagger

    def _rows(self, sentences: Sentences) -> list[IndexArray]:
        if len(self.words) > MOST_WORDS:
            self.words = WordVectors(self.sources.encode, self.sources.dim)
            self.read.use(self.words)
        return self.words.rows(sentences)

    def _batches(self, rows: Sequence[IndexArray]) -> Iterator[tuple[IndexArray, Tensor, Tensor]]:
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        there = np.flatnonzero(sizes)
        for chosen in by_length(sizes[there], AT_ONCE):
            indices = there[chosen]
            padded, lengths = pad([rows[index] for index in indices])
            yield indices, padded.to(self.device), lengths


def read_tagger_file(path: Path) -> tuple[dict[str, FloatArray], dict[str, Any]]:
    """Return the weights of a saved tagger and its record: configuration, tags, sources and notes."""
    try:
        weights, metadata = read_tensors(path)
        if metadata.get("format") != FORMAT:
            raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
        record = dict(parse_json(metadata["record"]))
        if missing := {"config", "labels", "scheme", "alphabet", "sources"} - set(record):
            raise ValueError(f"its record has no {min(missing)}")
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; check the path.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read as a tagger: {error}. Train or copy it again.") from None
    return weights, record


def _listed(sources: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({dim} dimensions)" for name, dim in sources)
