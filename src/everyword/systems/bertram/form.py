"""Form vectors: from the spelling of a word, by its character n-grams or by an everyword model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.files import fingerprint
from everyword.models.model import Model
from everyword.systems.bertram.config import NgramsConfig
from everyword.text.ngrams import ngrams
from everyword.text.normalise import Normaliser

RARE = "[RARE]"
"""The first row, shared by all n-grams without a row of their own. It counts in the mean."""


class Form(nn.Module, ABC):
    """Words → form vectors (words, dim) in the target space."""

    dim: int

    @abstractmethod
    def forward(self, words: Sequence[str], generators: Sequence[np.random.Generator] | None = None) -> Tensor:
        """Return the form vectors; a random generator per word hides part of the word, as dropout does."""

    @abstractmethod
    def fingerprint(self, words: Sequence[str]) -> str:
        """Return a fingerprint of what is not trained in the form vectors of these words."""


class NgramForm(Form):
    """The mean of the vectors of all character n-grams of a word."""

    def __init__(self, listed: Sequence[str], dim: int, config: NgramsConfig) -> None:
        super().__init__()
        self.config, self.dim = config, dim
        self.listed = list(listed)
        """The n-grams in the order of their rows; the first is `RARE`."""
        self._row = {ngram: row for row, ngram in enumerate(self.listed)}
        self._normalise = Normaliser()
        self.table = nn.Embedding(len(self.listed), dim, sparse=True)
        with torch.no_grad():
            self.table.weight *= config.initial_scale

    @classmethod
    def of_words(cls, words: Sequence[str], dim: int, config: NgramsConfig) -> NgramForm:
        """Make a form part with a row per n-gram that enough of the words contain."""
        normalise = Normaliser()
        spellings = dict.fromkeys(map(normalise, words))
        counts = Counter(ngram for word in spellings for ngram in set(ngrams(word, config.shortest, config.longest)))
        frequent = (ngram for ngram, count in counts.items() if count >= config.fewest_words)
        return cls([RARE, *sorted(frequent)], dim, config)

    def rows(self, word: str) -> list[int]:
        """Return the row of each n-gram, 0 for those without a row; a word has at least one."""
        found = ngrams(self._normalise(word), self.config.shortest, self.config.longest)
        return [self._row.get(ngram, 0) for ngram in found] or [0]

    def forward(self, words: Sequence[str], generators: Sequence[np.random.Generator] | None = None) -> Tensor:
        rows = [np.array(self.rows(word)) for word in words]
        if generators is not None:
            rows = [self._sample(of_word, generator) for of_word, generator in zip(rows, generators, strict=True)]
        weight = self.table.weight
        lengths = torch.tensor([len(of_word) for of_word in rows])
        flat = torch.from_numpy(np.concatenate(rows)).to(weight.device)
        starts = (lengths.cumsum(0) - lengths).to(weight.device)
        return F.embedding_bag(flat, weight, starts, mode="mean", sparse=True)

    def fingerprint(self, words: Sequence[str]) -> str:
        return fingerprint("\n".join(self.listed))

    def _sample(self, rows: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        visible: np.ndarray = rows[generator.random(len(rows)) >= self.config.dropout]
        return visible if len(visible) else rows


class ModelForm(Form):
    """The vector of the word in an everyword model, mapped linearly into the target space."""

    def __init__(self, model: Model, dim: int, which: str) -> None:
        super().__init__()
        self.model, self.dim, self.which = model, dim, which
        self.map = nn.Linear(model.dim, dim)
        self._cache: dict[str, FloatArray] = {}

    def forward(self, words: Sequence[str], generators: Sequence[np.random.Generator] | None = None) -> Tensor:
        vectors = self._cached(words) if self.training else self._vectors(words)
        mapped: Tensor = self.map(torch.from_numpy(vectors).to(self.map.weight.device))
        return mapped

    def fingerprint(self, words: Sequence[str]) -> str:
        return fingerprint(self._vectors(words).tobytes())

    def _vectors(self, words: Sequence[str]) -> FloatArray:
        return self.model.infer(words) if self.which == "infer" else self.model.encode(words)

    def _cached(self, words: Sequence[str]) -> FloatArray:
        """Return the model's vectors, each computed once: in training the same words come again and again."""
        new = [word for word in dict.fromkeys(words) if word not in self._cache]
        self._cache.update(zip(new, self._vectors(new), strict=True))
        return np.stack([self._cache[word] for word in words])
