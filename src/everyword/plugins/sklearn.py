"""scikit-learn: texts → one vector each, as a transformer for pipelines (the extra `sklearn`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import isnan, log
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.models.model import Model
from everyword.plugins.inputs import given_model
from everyword.sentences.tokens import tokens_of

POOLINGS = ("text", "mean", "tfidf", "max")
MISSING = ("error", "empty")

base: Any = require("sklearn.base", "WordVectorizer")
validation = require("sklearn.utils.validation", "WordVectorizer")


class WordVectorizer(base.ClassNamePrefixFeaturesOutMixin, base.TransformerMixin, base.BaseEstimator):  # type: ignore[misc]
    """Texts → vectors, (n, dim) float32; typos and rare words included.

    Texts come as a list, a column, or a frame or matrix with one column. Words without a vector are left out, and a
    text without words becomes zeros.

    Args:
        model: A Model, a name, a folder, or None for the default model.
        pooling: "text", what `Model.encode_texts` returns; or the vectors of words, pooled by their "mean", by "tfidf"
            (a mean in which words of few texts count more) or by "max" (the largest value in each column).
        tokenize: Splits a text into words, for words that are pooled; by default as `Model.encode_texts` does.
        lowercase: Lower the case of a text before its words are pooled.
        missing: What None and NaN are: an "error", or an "empty" text.
    """

    def __init__(
        self,
        model: Model | str | Path | None = None,
        *,
        pooling: str = "text",
        tokenize: Callable[[str], Iterable[str]] | None = None,
        lowercase: bool = True,
        missing: str = "error",
    ) -> None:
        self.model = model
        self.pooling = pooling
        self.tokenize = tokenize
        self.lowercase = lowercase
        self.missing = missing

    def fit(self, X: Sequence[str], y: object = None) -> WordVectorizer:
        """Load the model and, for "tfidf", count in how many texts each word occurs.

        Args:
            X: Texts.
            y: Ignored.

        Raises:
            InputError: If a parameter or a text cannot be used.
        """
        for name, value, allowed in (("pooling", self.pooling, POOLINGS), ("missing", self.missing, MISSING)):
            if value not in allowed:
                raise InputError(f"The parameter {name} cannot be {value!r}: {did_you_mean(str(value), allowed)}")
        if self.pooling == "text" and self.tokenize is not None:
            raise InputError("The pooling 'text' has a tokeniser of its own; with tokenize, choose pooling='mean'.")
        texts = self._texts_of(X)
        self.model_ = given_model(self.model)
        if self.pooling == "tfidf":
            self.texts_with_ = Counter(word for text in texts for word in set(self._words(text)))
            self.n_texts_ = len(texts)
        self._n_features_out = self.model_.dim  # the name by which scikit-learn's mixin asks for it
        return self

    def transform(self, X: Sequence[str]) -> FloatArray:
        """Return one vector for each text.

        Args:
            X: Texts.

        Returns:
            A matrix (texts, dim).
        """
        validation.check_is_fitted(self)
        texts = self._texts_of(X)
        if self.pooling == "text":
            return self.model_.encode_texts(texts)
        words, vectors, rows_of_texts = _encode_words(self.model_, [self._words(text) for text in texts])
        weights = self._weights(words)
        pooled = np.zeros((len(rows_of_texts), self.model_.dim), dtype=np.float32)
        for index, rows in enumerate(rows_of_texts):
            if rows:
                pooled[index] = self._pooled(vectors[rows], weights[rows])
        return pooled

    def _texts_of(self, X: Any) -> list[str]:
        listed = _one_column(X)
        for index, text in enumerate(listed):
            if not isinstance(text, str):
                if not _is_missing(text) or self.missing == "error":
                    hint = "; missing='empty' reads it as an empty text" if _is_missing(text) else ""
                    raise InputError(f"Texts must be str. Item {index} is of type {type(text).__name__}{hint}.")
                listed[index] = ""
        return listed

    def _words(self, text: str) -> list[str]:
        spelt = text.lower() if self.lowercase else text
        return tokens_of(spelt) if self.tokenize is None else list(self.tokenize(spelt))

    def _weights(self, words: Sequence[str]) -> FloatArray:
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


def _encode_words(model: Model, texts: Sequence[Sequence[str]]) -> tuple[list[str], FloatArray, list[list[int]]]:
    """Encode the words of texts, each once, however many texts it is in.

    Returns the words, their vectors and, for each text, the rows of its words that have a vector.
    """
    row_of = {word: row for row, word in enumerate(dict.fromkeys(word for words in texts for word in words))}
    vectors = model.encode(row_of)
    usable: list[bool] = np.any(vectors, axis=1).tolist()
    rows = [[row for word in words if usable[row := row_of[word]]] for words in texts]
    return list(row_of), vectors, rows


def _one_column(texts: Any) -> list[Any]:
    # An iterator is refused: `fit_transform` reads texts twice and would find nothing the second time.
    if isinstance(texts, str) or not hasattr(texts, "__len__"):
        raise InputError(f"A list of texts is needed. Got one {type(texts).__name__} instead.")
    if not hasattr(texts, "columns") and not isinstance(texts, np.ndarray):
        return list(texts)
    cells = np.asarray(texts, dtype=object)
    if cells.ndim != 1 and cells.shape[1:] != (1,):
        raise InputError(f"One column of texts is needed. Got an array of shape {cells.shape}; choose a column of it.")
    return cells.ravel().tolist()


def _is_missing(text: object) -> bool:
    """Return whether this is None, NaN or the NA of pandas, which cannot be compared."""
    return text is None or type(text).__name__ == "NAType" or (isinstance(text, float) and isnan(text))
