"""scikit-learn: texts → one vector each, as a transformer for pipelines (the extra `sklearn`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import BoolArray, FloatArray
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.models.model import Model
from everyword.plugins.inputs import given_model, words_of

POOLINGS = ("mean", "tfidf", "max")

base: Any = require("sklearn.base", "WordVectorizer")
validation = require("sklearn.utils.validation", "WordVectorizer")


class WordVectorizer(base.ClassNamePrefixFeaturesOutMixin, base.TransformerMixin, base.BaseEstimator):  # type: ignore[misc]
    """Texts → the pooled vectors of their words, (n, dim) float32; typos and rare words included.

    `model` is a Model, a name, a folder or None for the default. `pooling` is "mean", "tfidf" (a mean in which words of
    few texts count more) or "max" (the largest value in each column). `tokenize` makes words of a text, by default its
    runs of letters and digits; `lowercase` is applied before it. Words without a vector are left out, and a text
    without words becomes zeros.
    """

    def __init__(
        self,
        model: Model | str | Path | None = None,
        *,
        pooling: str = "mean",
        tokenize: Callable[[str], Iterable[str]] | None = None,
        lowercase: bool = True,
    ) -> None:
        self.model = model
        self.pooling = pooling
        self.tokenize = tokenize
        self.lowercase = lowercase

    def fit(self, X: Sequence[str], y: object = None) -> WordVectorizer:
        """Load the model and, for "tfidf", count in how many texts each word is."""
        if self.pooling not in POOLINGS:
            hint = did_you_mean(str(self.pooling), POOLINGS)
            raise InputError(f"There is no pooling {self.pooling!r}: {hint}")
        texts = _listed_texts(X)
        self.model_ = given_model(self.model)
        if self.pooling == "tfidf":
            self.texts_with_ = Counter(word for text in texts for word in set(self._words(text)))
            self.n_texts_ = len(texts)
        self._n_features_out = self.model_.dim  # the name by which scikit-learn's mixin asks for it
        return self

    def transform(self, X: Sequence[str]) -> FloatArray:
        """One vector for each text."""
        validation.check_is_fitted(self)
        tokens = [self._words(text) for text in _listed_texts(X)]
        row_of = {word: row for row, word in enumerate(dict.fromkeys(word for words in tokens for word in words))}
        vectors = self.model_.encode(row_of)  # each word once, however many texts it is in
        weights = self._weights(row_of)
        usable: BoolArray = np.any(vectors, axis=1)
        pooled = np.zeros((len(tokens), self.model_.dim), dtype=np.float32)
        for place, words in enumerate(tokens):
            rows = np.fromiter((row_of[word] for word in words), dtype=np.int64, count=len(words))
            rows = rows[usable[rows]]
            if len(rows):
                pooled[place] = self._pooled(vectors[rows], weights[rows])
        return pooled

    def _words(self, text: str) -> list[str]:
        spelt = text.lower() if self.lowercase else text
        return words_of(spelt) if self.tokenize is None else list(self.tokenize(spelt))

    def _weights(self, words: Mapping[str, int]) -> FloatArray:
        if self.pooling != "tfidf":
            return np.ones(len(words), dtype=np.float32)
        # scikit-learn's smoothed inverse document frequency, which is finite for words that no text of `fit` has.
        shares = ((1 + self.n_texts_) / (1 + self.texts_with_[word]) for word in words)
        return np.array([log(share) + 1 for share in shares], dtype=np.float32)

    def _pooled(self, vectors: FloatArray, weights: FloatArray) -> FloatArray:
        pooled: FloatArray = vectors.max(axis=0) if self.pooling == "max" else weights @ vectors / weights.sum()
        return pooled

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags


def _listed_texts(texts: Sequence[str]) -> list[str]:
    # An iterator is refused: `fit_transform` reads texts twice and would find nothing the second time.
    if isinstance(texts, str) or not hasattr(texts, "__len__"):
        raise InputError(f"A list of texts is needed. Got one {type(texts).__name__} instead.")
    listed = list(texts)
    for place, text in enumerate(listed):
        if not isinstance(text, str):
            raise InputError(f"Texts must be str. Item {place} is of type {type(text).__name__}.")
    return listed
