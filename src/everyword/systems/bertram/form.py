"""The form part: a vector from the spelling of a word, by its character n-grams or by an everyword model."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.models.model import Model
from everyword.systems.bertram.config import NgramsConfig
from everyword.text.ngrams import ngrams
from everyword.text.normalise import Normaliser

RARE = "[RARE]"
"""The first row: what all n-grams share that have none of their own. It counts in the mean."""


class Form(nn.Module, ABC):
    """Words → vectors (words, dim) in the space that is aimed at."""

    dim: int

    @abstractmethod
    def forward(self, words: Sequence[str], draws: Sequence[np.random.Generator] | None = None) -> Tensor:
        """The vectors of words; with a generator for each of them, some of what is known of a word is hidden."""

    @abstractmethod
    def mark(self, words: Sequence[str]) -> str:
        """What tells this form part, as far as it is not trained, from others for the same words."""


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
        """With a row for each n-gram that stands in enough of the words."""
        normalise = Normaliser()
        spelt = dict.fromkeys(map(normalise, words))
        counts = Counter(ngram for word in spelt for ngram in set(ngrams(word, config.shortest, config.longest)))
        frequent = (ngram for ngram, count in counts.items() if count >= config.fewest_words)
        return cls([RARE, *sorted(frequent)], dim, config)

    def rows(self, word: str) -> list[int]:
        """The row of each n-gram, the shared one for those without their own; a word has at least one."""
        found = ngrams(self._normalise(word), self.config.shortest, self.config.longest)
        return [self._row.get(ngram, 0) for ngram in found] or [0]

    def forward(self, words: Sequence[str], draws: Sequence[np.random.Generator] | None = None) -> Tensor:
        """The mean over n-grams, those that are drawn hidden."""
        rows = [np.array(self.rows(word)) for word in words]
        if draws is not None:
            rows = [self._some(of_word, draw) for of_word, draw in zip(rows, draws, strict=True)]
        weight = self.table.weight
        lengths = torch.tensor([len(of_word) for of_word in rows])
        flat = torch.from_numpy(np.concatenate(rows)).to(weight.device)
        starts = (lengths.cumsum(0) - lengths).to(weight.device)
        return F.embedding_bag(flat, weight, starts, mode="mean", sparse=True)

    def mark(self, words: Sequence[str]) -> str:
        """Of the list of n-grams."""
        return hashlib.sha256("\n".join(self.listed).encode()).hexdigest()

    def _some(self, rows: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        kept: np.ndarray = rows[draw.random(len(rows)) >= self.config.dropout]
        return kept if len(kept) else rows


class ModelForm(Form):
    """The vector that an everyword model gives the word, brought into the space by a linear map."""

    def __init__(self, model: Model, dim: int, which: str) -> None:
        super().__init__()
        self.model, self.dim, self.which = model, dim, which
        self.map = nn.Linear(model.dim, dim)
        self._known: dict[str, FloatArray] = {}

    def forward(self, words: Sequence[str], draws: Sequence[np.random.Generator] | None = None) -> Tensor:
        """The mapped vectors; nothing is hidden."""
        vectors = self._remembered(words) if self.training else self._made(words)
        mapped: Tensor = self.map(torch.from_numpy(vectors).to(self.map.weight.device))
        return mapped

    def mark(self, words: Sequence[str]) -> str:
        """Of the model's vectors."""
        return hashlib.sha256(self._made(words).tobytes()).hexdigest()

    def _made(self, words: Sequence[str]) -> FloatArray:
        return self.model.infer(words) if self.which == "infer" else self.model.encode(words)

    def _remembered(self, words: Sequence[str]) -> FloatArray:
        """In training the same words come again and again, and the model's vectors do not change."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        self._known.update(zip(new, self._made(new), strict=True))
        return np.stack([self._known[word] for word in words])
