"""Vectors of texts from several sources: an everyword model, tables, a sentence encoder, and random vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.probes.word_probes import WordList
from everyword.models.load import load
from everyword.models.model import Model
from everyword.models.retrieval.runs import run_sums
from everyword.sentences.tokens import tokens_of

Pooling = Literal["mean", "max", "texts"]
MODEL, ENCODER, RANDOM = "model", "encoder", "random"
RANDOM_DIM = 256
WORDS_AT_ONCE = 8192
TextVectors = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True)
class TextSources:
    """What vectors of words and texts are taken from."""

    model_name: str | None = None
    vectors: Mapping[str, Path] = field(default_factory=dict)
    """Vector files by name."""
    encoder: str | None = None
    """A sentence encoder, a folder or a hub id that transformers loads."""
    device: str = "cpu"

    @cached_property
    def model(self) -> Model:
        """The everyword model."""
        return load(self.model_name)

    @cached_property
    def _opened(self) -> dict[tuple[str, str | None], EvaluatedModel]:
        return {}

    def has(self, source: str) -> bool:
        """Whether a source was given."""
        return source in (MODEL, RANDOM) or source in self.vectors or (source == ENCODER and self.encoder is not None)

    def identity(self, source: str) -> str:
        """Return what decides the vectors of a source: a checksum of the model or the file, or the encoder's name."""
        if source == RANDOM:
            return f"{RANDOM} {RANDOM_DIM}"
        return str(self.encoder) if source == ENCODER else str(self.opened(source).fingerprint)

    def opened(self, source: str, policy: str | None = None) -> EvaluatedModel:
        """Return a model or a table, opened once."""
        key = source, policy
        if key not in self._opened:
            name = self.model_name if source == MODEL else str(self.vectors[source])
            self._opened[key] = open_evaluated(name, policy)
        return self._opened[key]

    def words(self, source: str, words: Sequence[str], *, seed: int = 0, policy: str | None = None) -> FloatArray:
        """Return the vectors of words; zeros for a word without any."""
        if source == RANDOM:
            rng = np.random.default_rng(seed)
            return rng.normal(size=(len(words), RANDOM_DIM)).astype(np.float32)
        if source == ENCODER:
            raise InputError("A sentence encoder gives vectors of texts, not of words; choose the pooling texts.")
        model = self.opened(source, policy)
        blocks = [model.encode(words[start : start + WORDS_AT_ONCE]) for start in range(0, len(words), WORDS_AT_ONCE)]
        return np.concatenate(blocks) if blocks else np.zeros((0, model.dim), dtype=np.float32)

    def texts(self, source: str, pooling: Pooling, texts: Sequence[str], *, seed: int = 0) -> FloatArray:
        """Return the vectors of texts."""
        if pooling == "texts":
            return self._whole_texts(source, texts)
        words = WordList()
        rows = [words.rows(tokens_of(text)) for text in texts]
        return pooled(self.words(source, words.words, seed=seed), rows, pooling)

    def _whole_texts(self, source: str, texts: Sequence[str]) -> FloatArray:
        if source == MODEL:
            return self.model.encode_texts(texts)
        from everyword.language_models.language_model import LanguageModel
        from everyword.language_models.text_vectors import text_vectors

        return text_vectors(LanguageModel.load(str(self.encoder), device=self.device), texts)


def pooled(vectors: FloatArray, texts: Sequence[IndexArray], pooling: Pooling = "mean") -> FloatArray:
    """Return the mean or the maximum of the vectors of the words of each text; words of zeros do not count."""
    known = (vectors != 0).any(axis=1)
    kept = [rows[known[rows]] for rows in texts]
    some = np.array([len(rows) > 0 for rows in kept])
    found = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
    if not some.any():
        return found
    rows = [row for row in kept if len(row)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])[:-1]])
    together = vectors[np.concatenate(rows)]
    if pooling == "max":
        found[some] = np.maximum.reduceat(together, starts, axis=0)
    else:
        counts = np.array([len(row) for row in rows], dtype=np.float32)
        found[some] = run_sums(together, starts) / counts[:, None]
    return found
