"""Taggers of several languages at once: a table of vectors per language, and an adversary that hides the language.

A token of a language is written with its code, as `de:Haus`, so that words that two languages spell alike stay apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, to_dict
from everyword.corpus.labelled.bio import overlap_scores
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.errors import InputError
from everyword.evaluation.tasks.extrinsic.learner import LearnerConfig
from everyword.evaluation.tasks.extrinsic.networks import TagConfig, TagLearner
from everyword.learning.adversary import Adversary, AdversaryConfig, probe_accuracy
from everyword.learning.hooks import Hook
from everyword.learning.optimisers import Optimiser
from everyword.learning.word_vectors import WordVectors
from everyword.systems.taggers.bilstm import Tagger
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

SEPARATOR = ":"
PROBED = 2000
"""The most words of a language that a probe sees."""


def language_of(token: str) -> str:
    """Return the language of a token.

    >>> language_of("de:Haus")
    'de'
    """
    return token.partition(SEPARATOR)[0]


def in_language(language: str, data: TaggedSentences) -> TaggedSentences:
    """Return the same sentences with the language before each token."""
    tokens = tuple(tuple(f"{language}{SEPARATOR}{token}" for token in tokens) for tokens in data.tokens)
    return TaggedSentences(f"{language}-{data.name}", tokens, data.tags, data.scheme)


def joined(parts: Sequence[TaggedSentences], name: str) -> TaggedSentences:
    """Return the sentences of several sets as one."""
    tokens = tuple(tokens for part in parts for tokens in part.tokens)
    return TaggedSentences(name, tokens, tuple(tags for part in parts for tags in part.tags), parts[0].scheme)


class LanguageVectors:
    """Vectors of tokens of several languages, looked up as they are written and in lower case, zeros if not there.

    Args:
        tables: A table per language, all of one dimension.
    """

    def __init__(self, tables: Mapping[str, VectorTable]) -> None:
        if not tables:
            raise InputError("Vectors of one language or more are needed. Got none.")
        sizes = {language: table.dim for language, table in tables.items()}
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{language} {size}" for language, size in sizes.items())
            raise InputError(f"The tables of all languages must have one dimension. Got {told}.")
        self.dim = next(iter(sizes.values()))
        self._index = {language: table.index for language, table in tables.items()}
        # Of length √dim, so that a coordinate has about the size that layers of a network expect.
        self._rows = {
            language: unit_rows(table.matrix) * np.float32(np.sqrt(table.dim)) for language, table in tables.items()
        }

    def encode(self, tokens: Sequence[str]) -> FloatArray:
        """Return the vectors of tokens."""
        found = np.zeros((len(tokens), self.dim), dtype=np.float32)
        for number, token in enumerate(tokens):
            language, _, word = token.partition(SEPARATOR)
            if language not in self._index:
                raise InputError(f"There are no vectors of the language {language!r}; give them.")
            row = self._index[language].get(word, self._index[language].get(word.lower()))
            if row is not None:
                found[number] = self._rows[language][row]
        return found


def _tagger() -> TagConfig:
    learning = LearnerConfig(epochs=15, batch=32, rates=(1e-3,), patience=3)
    return TagConfig(hidden=128, dropout=0.1, shared=True, learning=learning)


@dataclass(frozen=True)
class TransferConfig:
    """A tagger of several languages."""

    tagger: TagConfig = field(default_factory=_tagger)
    adversarial: bool = False
    """Whether an adversary learns to tell the languages."""
    adversary: AdversaryConfig = field(default_factory=AdversaryConfig)
    examples: Count = 512
    """Tokens of a step of the adversary, as many of each language."""
    sentences: Count | None = None
    """The most sentences of a language that are learnt from."""

    def problems(self) -> list[str]:
        wrong = self.adversarial and not self.tagger.shared
        return ["an adversary needs tagger.shared = true: it acts on the shared features"] if wrong else []


class TransferLearner(TagLearner):
    """Learns tags in some languages, with features in which an adversary cannot tell the language.

    Args:
        words: Vectors of tokens such as `de:Haus`.
        train: Tagged sentences of all training languages.
        dev: Tagged sentences of the same languages, which choose the epoch.
        config: The tagger and its adversary.
        unlabelled: By language, sentences of tokens that the adversary sees too, of any language.
    """

    def __init__(
        self,
        words: WordVectors,
        train: TaggedSentences,
        dev: TaggedSentences,
        config: TransferConfig,
        unlabelled: Mapping[str, Sequence[Sequence[str]]] | None = None,
    ) -> None:
        configs.check(config)
        super().__init__(words, train, dev, config.tagger)
        if self.main == "f1":
            self.main = "strict"
        self.transfer = config
        seen = [[f"{language}{SEPARATOR}{token}" for token in tokens]
                for language, sentences in (unlabelled or {}).items() for tokens in sentences]  # fmt: skip
        self.rows_of = self._by_language([*self.train_rows, *words.rows(seen)])
        """By language, the rows of all its tokens that have a vector."""

    def with_config(self, config: TransferConfig) -> TransferLearner:
        """Return the same learner with another adversary."""
        other = copy(self)
        other.transfer = config
        return other

    def _by_language(self, rows: Sequence[IndexArray]) -> dict[str, IndexArray]:
        every = np.concatenate(rows)
        there = self.words.vectors.any(dim=1).numpy()[every]
        languages = np.array([language_of(token) for token in self.words.tokens])[every]
        return {name: every[(languages == name) & there] for name in dict.fromkeys(languages.tolist())}

    def hooks(self, network: nn.Module, optimiser: Optimiser) -> list[Hook]:
        found = super().hooks(network, optimiser)
        if not self.transfer.adversarial:
            return found
        tagger = cast(Tagger, network)
        adversary = Adversary(
            self.transfer.adversary,
            examples=self._examples,
            encode=lambda rows: tagger.features(rows[None])[0],
            optimiser=optimiser,
            dim=tagger.read.dim,
            classes=len(self.rows_of),
            device=self.learning.device,
        )
        return [*found, adversary]

    def _examples(self, step: int) -> tuple[Tensor, Tensor]:
        """Return as many tokens of each language, and the numbers of the languages."""
        rng = np.random.default_rng([self.transfer.adversary.seed, step])
        each = max(self.transfer.examples // len(self.rows_of), 1)
        rows = np.concatenate([rng.choice(rows, size=each) for rows in self.rows_of.values()])
        classes = np.repeat(np.arange(len(self.rows_of)), each)
        device = self.learning.device
        return torch.from_numpy(rows).to(device), torch.from_numpy(classes).to(device)

    def scores(self, data: TaggedSentences, predicted: Sequence[Sequence[str]]) -> dict[str, float]:
        """Return the strict, relaxed and type F1 of spans where tags mark spans, and the accuracy over tokens."""
        scores = overlap_scores(data.tags, predicted) if self.main == "strict" else {}
        return {**scores, **super().scores(data, predicted)}

    def language_accuracy(self, network: nn.Module, tests: Sequence[TaggedSentences], seed: int = 0) -> float:
        """Return how well a fresh probe tells the languages of words by their features, in percent.

        The words are those of the tests that have a vector, each once and as many of each language; the probe learns
        from one half of them and is judged on the other.
        """
        found = self._by_language(self.words.rows([tokens for test in tests for tokens in test.tokens]))
        distinct = [np.unique(rows) for rows in found.values()]
        each = min(PROBED, *(len(rows) for rows in distinct))
        rng = np.random.default_rng(seed)
        rows = np.concatenate([rng.choice(rows, size=each, replace=False) for rows in distinct])
        network.eval()
        with torch.no_grad():
            features = cast(Tagger, network).features(torch.from_numpy(rows)[None].to(self.learning.device))[0]
        return 100 * probe_accuracy(features, torch.from_numpy(np.repeat(np.arange(len(distinct)), each)), seed=seed)

    def describe(self) -> Mapping[str, Any]:
        whole = to_dict(self.transfer)
        return {**whole, "learning": whole["tagger"]["learning"]}
