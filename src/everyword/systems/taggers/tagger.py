"""A tagger that reads vectors of words and their characters: what it is made of, tagging, saving and loading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

import numpy as np
import torch
from torch import Tensor

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.labelled.bio import from_bioes
from everyword.corpus.labelled.sets import Scheme
from everyword.corpus.labelled.tag_symbols import spelling_of
from everyword.errors import InputError
from everyword.learning.batching import by_length, pad
from everyword.learning.characters import characters_of
from everyword.learning.crf import barred_in_spans
from everyword.learning.experts import categories, category
from everyword.learning.saved_weights import check_sizes
from everyword.learning.sources import Source, Sources
from everyword.learning.word_forms import WordForms
from everyword.learning.word_vectors import WordVectors
from everyword.models.saved.network_file import read_network, write_network
from everyword.space.combination import Combination
from everyword.systems.taggers.bilstm import EntityHeads, Tagger
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.meta_attention import SourceInput
from everyword.systems.taggers.structured import SpeltTagger

FORMAT = "tagger.v1"
AT_ONCE = 256
MOST_WORDS = 200_000
"""Vectors of words that are kept for the next text; when there are more, they are made anew."""
Sentences = Sequence[Sequence[str]]


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
        vocabulary: The words that it learns vectors of, if it does.
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
        vocabulary: Sequence[str] = (),
    ) -> None:
        configs.check(config)
        self.sources = Sources(sources, config.combiner.length)
        self.labels, self.config, self.device, self.alphabet = list(labels), config, device, alphabet
        self.scheme: Scheme = scheme
        self.words = WordVectors(self.sources.encode, self.sources.dim)
        self.vocabulary = list(vocabulary)
        characters = characters_of(alphabet, config.characters, config.character_network) if config.characters else None
        forms = WordForms(
            self.vocabulary,
            lookup=config.lookup,
            shapes=config.shapes,
            tuned=self.sources.dim if config.tuned else 0,
            hidden=config.hidden_words,
        )
        self.read = SourceInput(self.words, self.sources.dims, config.combiner, characters, forms)
        if not self.read.dim:
            raise InputError("A tagger reads vectors, characters, a lookup or shapes of words; give it one of them.")
        self.categories = categories(self.labels)
        self.network = (self._spelt_tagger() if config.spelling != "none" else self._tagger()).to(device)
        self._barred = barred_in_spans(self.labels, device) if scheme == "bio" else None

    def _tagger(self) -> Tagger:
        config = self.config
        numbers = tuple(self.categories.index(category(label)) for label in self.labels)
        return Tagger(
            self.read,
            len(self.labels),
            hidden=2 * config.states,
            dropout=config.dropout,
            crf=config.crf,
            layers=config.layers,
            entities=EntityHeads(numbers, config.experts, config.entity_task),
            locked=config.locked,
        )

    def _spelt_tagger(self) -> SpeltTagger:
        config, spelling = self.config, spelling_of(self.config.spelling)
        return SpeltTagger(
            self.read,
            [spelling.split(label) for label in self.labels],
            hidden=2 * config.states,
            dropout=config.dropout,
            layers=config.layers,
            locked=config.locked,
            history=config.history,
            ends=config.spelling != "whole",
        )

    def tag(self, sentences: Sentences, beam: int | None = None) -> list[list[str]]:
        """Return a tag for each token; a sentence without tokens has none.

        Args:
            sentences: Tokens of each sentence.
            beam: How many spellings are followed if tags are spelt; by default as in the configuration.
        """
        return [found.tags for found in self._tagged(sentences, beam or self.config.beam, confident=False)]

    def tag_with_confidence(self, sentences: Sentences) -> list[TaggedTokens]:
        """Return a tag for each token, and its probability."""
        return self._tagged(sentences, self.config.beam, confident=True)

    def _tagged(self, sentences: Sentences, beam: int, *, confident: bool) -> list[TaggedTokens]:
        self.network.eval()
        rows = self._rows(sentences)
        found = [TaggedTokens([], []) for _ in rows]
        for indices, padded, lengths in self._batches(rows):
            if isinstance(self.network, SpeltTagger):
                tagged = self._spell(self.network, padded, lengths, beam)
            else:
                tagged = self._choose(self.network, padded, lengths, confident)
            for index, one in zip(indices, tagged, strict=True):
                found[index] = one
        return found

    def _spell(self, network: SpeltTagger, padded: Tensor, lengths: Tensor, beam: int) -> list[TaggedTokens]:
        join = spelling_of(self.config.spelling).join
        return [
            TaggedTokens([join(word.symbols) for word in words], [word.probability for word in words])
            for words in network.spell(padded, lengths, beam)
        ]

    def _choose(self, network: Tagger, padded: Tensor, lengths: Tensor, confident: bool) -> list[TaggedTokens]:
        if confident:
            best, found_shares = network.best_with_probabilities(padded, lengths, self._barred)
            shares = found_shares.cpu().numpy()
        else:
            best, shares = network.best(padded, lengths, self._barred), None
        found = []
        for row, numbers in enumerate(best):
            tags = [self.labels[number] for number in numbers]
            given = [] if shares is None else shares[row][np.arange(len(numbers)), numbers].astype(float).tolist()
            closed = self.scheme == "bio" and self.config.marks == "bioes"
            found.append(TaggedTokens(from_bioes(tags) if closed else tags, given))
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
            gate = cast(Tagger, self.network).gate(padded, lengths).cpu().numpy()
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
        # Half precision halves the file, and tags do not depend on the fourth digit of a weight.
        weights = {name: weight.half().cpu().contiguous().numpy() for name, weight in self.network.state_dict().items()}
        record = {
            "config": configs.to_dict(self.config),
            "labels": self.labels,
            "scheme": self.scheme,
            "alphabet": self.alphabet,
            "vocabulary": self.vocabulary,
            "sources": [[name, dim] for name, dim in zip(self.sources.names, self.sources.dims, strict=True)],
            "notes": notes or {},
        }
        write_network(path, FORMAT, weights, record)

    @classmethod
    def load(cls, path: Path, sources: Sequence[Source], device: str = "cpu") -> SequenceTagger:
        """Read what `save` wrote.

        Args:
            path: The file.
            sources: Those of the training, in the same order.
            device: Where the tagger runs.
        """
        weights, record = read_tagger_file(path)
        expected = [(name, dim) for name, dim in record["sources"]]
        given = [(source.name, source.dim) for source in sources]
        if [dim for _, dim in given] != [dim for _, dim in expected]:
            raise InputError(f"{path} needs the sources {_listed(expected)}. Got {_listed(given)}.")
        config = configs.build(TaggerConfig, record["config"], str(path))
        options = {name: record[name] for name in ("alphabet", "scheme", "vocabulary") if name in record}
        try:
            if config.layers > len(weights):
                raise ValueError("it has fewer weights than layers")
            check_sizes(lambda: cls(sources, record["labels"], config, "meta", **options).network, weights)
            tagger = cls(sources, record["labels"], config, device, **options)
            tagger.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        except (ValueError, RuntimeError):
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
    keys = ("config", "labels", "scheme", "alphabet", "sources", "notes")
    weights, record = read_network(path, FORMAT, "a tagger", keys)
    if not _is_sound(record):
        raise InputError(f"{path} cannot be read as a tagger: its record is damaged. Train or copy it again.")
    return weights, record


def _is_sound(record: dict[str, Any]) -> bool:
    notes, sources = record["notes"], record["sources"]
    if not (isinstance(notes, dict) and isinstance(record["config"], dict) and isinstance(sources, list)):
        return False
    lists = (record["labels"], record.get("vocabulary", []), notes.get("vectors", []))
    texts = all(isinstance(one, list) and all(isinstance(item, str) for item in one) for one in lists)
    pairs = all(isinstance(one, list) and [type(part) for part in one] == [str, int] for one in sources)
    named = record["scheme"] in get_args(Scheme) and isinstance(record["alphabet"], str)
    return texts and pairs and named and len(record["labels"]) > 0


def _listed(sources: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({dim} dimensions)" for name, dim in sources)
