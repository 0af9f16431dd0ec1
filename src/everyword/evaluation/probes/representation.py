"""What is probed: vectors of words in texts, whatever makes them.

A table and an everyword model give a word one vector wherever it stands; a transformer gives one for each layer and
place. Probes see the same either way. Nothing needs to handle unknown words: their vectors are zeros if need be.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import READING_SENTENCES, EvaluatedModel, open_evaluated
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.sentences.text_poolings import pool_texts

RANDOM = "random"
RANDOM_DIM = 300
NAMED_LAYERS = ("all", "last", "middle")
"""Layers of a transformer that have a name; the middle one is half-way up."""
Texts = Sequence[Sequence[str]]
"""Texts as lists of their tokens."""


class Representation(ABC):
    """Vectors of the tokens of texts."""

    name: str
    policy: str
    """How unknown words get vectors; "pieces" for a transformer."""
    fingerprint: str | None
    """A checksum of what decides the vectors. Without it, no result is reused."""
    dim: int
    layers: int = 1
    """How many layers there are above the input; 1 for static vectors."""
    layer: int | None = None
    """The layer that is probed, 0 being the input of a transformer; None for static vectors."""

    @abstractmethod
    def tokens(self, texts: Texts, layer: int | None = None) -> TokenVectors:
        """Return a vector for each token, (tokens, 1, dim), of a layer or else of the one that is probed."""

    def all_layers(self, texts: Texts) -> TokenVectors:
        """Return all vectors of each token that were asked for when it was opened, (tokens, layers, dim)."""
        return self.tokens(texts)

    def words(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words that stand alone, (words, dim)."""
        return self.tokens([[word] for word in words]).vectors[:, 0]

    def texts(self, texts: Texts, layer: int | None = None, pooling: str = "average") -> FloatArray:
        """Return a vector for each text, pooled from those of its tokens as in `sentences.text_poolings`."""
        found = self.tokens(texts, layer)
        return pool_texts(pooling, found.vectors[:, 0], found.starts)

    def at(self, layer: int | None) -> Representation:
        """Return the same representation at another layer."""
        other = copy(self)
        other.layer = layer
        return other


class StaticVectors(Representation):
    """A vector for each word, wherever it stands: a table or an everyword model."""

    def __init__(self, model: EvaluatedModel) -> None:
        self.model = model
        self.name, self.policy, self.fingerprint, self.dim = model.name, model.policy, model.fingerprint, model.dim
        self._rows: dict[str, int] = {}
        self._matrix = np.empty((0, model.dim), dtype=np.float32)

    def tokens(self, texts: Texts, layer: int | None = None) -> TokenVectors:
        """Return the vectors of tokens; each word is encoded once."""
        new = [word for word in dict.fromkeys(token for text in texts for token in text) if word not in self._rows]
        if new:
            self._matrix = np.concatenate([self._matrix, self.model.encode(new).astype(np.float32)])
            self._rows |= {word: len(self._rows) + place for place, word in enumerate(new)}
        rows = np.array([self._rows[token] for text in texts for token in text], dtype=np.int64)
        return TokenVectors.of(self._matrix[rows], [len(text) for text in texts])


class RandomVectors(Representation):
    """A random vector for each word, always the same: what a probe learns from the identity of words alone."""

    policy = RANDOM

    def __init__(self, dim: int = RANDOM_DIM, seed: int = 0) -> None:
        self.name, self.dim, self.seed = f"{RANDOM}-{dim}", dim, seed
        self.fingerprint = hashlib.sha256(f"{RANDOM} {dim} {seed}".encode()).hexdigest()
        self._known: dict[str, FloatArray] = {}

    def tokens(self, texts: Texts, layer: int | None = None) -> TokenVectors:
        """Return the vectors of tokens."""
        rows = [self._vector(token) for text in texts for token in text]
        found = np.array(rows, dtype=np.float32).reshape(len(rows), self.dim)
        return TokenVectors.of(found, [len(text) for text in texts])

    def _vector(self, word: str) -> FloatArray:
        if word not in self._known:
            digest = hashlib.sha256(f"{self.seed}\n{word}".encode("utf-8", "surrogatepass")).digest()
            self._known[word] = np.random.default_rng(list(digest)).normal(size=self.dim).astype(np.float32)
        return self._known[word]


def open_representation(
    name: str | None = None,
    policy: str | None = None,
    *,
    layers: Sequence[int] | str = "last",
    device: str = "auto",
) -> list[Representation]:
    """Open what is to be probed.

    Args:
        name: A model's name, folder or hub id, a vector file, the folder of a transformer or sentence encoder, or
            "random", perhaps with a dimension as in "random-100"; None for the default model.
        policy: How unknown words get vectors, as in `everyword evaluate`; not for transformers.
        layers: For transformers: "all", "last", "middle", or numbers, 0 being the input.
        device: Where a transformer computes.

    Returns:
        The representation, once for each layer.

    Raises:
        InputError: If the policy or a layer does not fit, or the file cannot be read.
        UnknownNameError: If there is no such model.
    """
    if name is not None and (found := re.fullmatch(rf"{RANDOM}(?:-(\d{{1,5}}))?", name)) and not Path(name).exists():
        dim = int(found[1] or RANDOM_DIM)
        if not dim:
            raise InputError("Random vectors need 1 dimension or more. Got 'random-0'.")
        return [RandomVectors(dim)]
    from everyword.evaluation.context_models import is_language_model

    if name is not None and is_language_model(Path(name)):
        if policy is not None:
            raise InputError(f"{name} is a transformer, which cuts unknown words into pieces; leave out the policy.")
        from everyword.evaluation.probes.layers import open_layers

        return open_layers(name, layers, device)
    if policy in READING_SENTENCES:
        raise InputError(
            f"The policy {policy!r} makes vectors from given sentences, which probes have not; choose another."
        )
    return [StaticVectors(open_evaluated(name, policy))]
