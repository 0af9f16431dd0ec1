"""Trained classifiers of texts in NumPy: tokens → features of the text → scores of labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray

Encode = Callable[[Sequence[str]], FloatArray]
Tokens = Sequence[Sequence[str]]
AT_ONCE = 64


class NumpyPass(ABC):
    """Base class: a subclass gives the features of texts.

    Args:
        weights: Those of the network of torch, by name.
        encode: Gives words their vectors.
        widths: Of the windows of a CNN.
        words: The words that it reads, if it reads no vectors.
        unit: Whether features are scaled to length 1.
    """

    def __init__(
        self,
        weights: Mapping[str, AnyArray],
        encode: Encode | None,
        *,
        widths: Sequence[int] = (),
        words: Sequence[str] = (),
        unit: bool = False,
    ) -> None:
        self.weights, self.encode, self.widths = weights, encode, tuple(widths)
        self.unit = unit
        self.row = {word: number for number, word in enumerate(words, start=1)}
        self.output, self.bias = weights["output.weight"].T, weights["output.bias"]

    def __call__(self, texts: Tokens) -> FloatArray:
        """Return the scores of labels, (texts, labels)."""
        if not texts:
            return np.zeros((0, len(self.bias)), dtype=np.float32)
        features = self.features(texts)
        if self.unit:
            features /= np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-12)
        found: FloatArray = features @ self.output + self.bias
        return found

    @abstractmethod
    def features(self, texts: Tokens) -> FloatArray:
        """Return the features of texts, (texts, width)."""

    def look_up(self, texts: Tokens) -> tuple[FloatArray, list[IndexArray]]:
        """Return the vectors of all words of texts, of which the first is zeros, and the rows of each text."""
        assert self.encode is not None
        row = {word: number for number, word in enumerate(dict.fromkeys(w for text in texts for w in text), start=1)}
        vectors = self.encode(list(row)) if row else np.zeros((0, self.dim), dtype=np.float32)
        table = np.concatenate([np.zeros((1, vectors.shape[1]), dtype=np.float32), vectors])
        return table, [np.array([row[word] for word in text] or [0], dtype=np.int64) for text in texts]

    @property
    def dim(self) -> int:
        """The length of word vectors."""
        return len(self.output)


class LinearPass(NumpyPass):
    """The mean of the word vectors of a text."""

    def features(self, texts: Tokens) -> FloatArray:
        table, rows = self.look_up(texts)
        return np.stack([table[row].mean(axis=0) for row in rows])


class CnnPass(NumpyPass):
    """The strongest answers of filters over windows of words."""

    def __init__(self, weights: Mapping[str, AnyArray], encode: Encode | None, **options: Any) -> None:
        super().__init__(weights, encode, **options)
        for number, width in enumerate(self.widths):
            if weights[f"body.convolutions.{number}.weight"].shape[2:] != (width,):
                raise ValueError(f"there are no filters of width {width}")

    @property
    def dim(self) -> int:
        """The length of word vectors."""
        return int(self.weights["body.convolutions.0.weight"].shape[1])

    def features(self, texts: Tokens) -> FloatArray:
        table, rows = self.look_up(texts)
        order = np.argsort([len(row) for row in rows], kind="stable")
        found = np.zeros((len(texts), len(self.output)), dtype=np.float32)
        for start in range(0, len(order), AT_ONCE):
            chosen = order[start : start + AT_ONCE]
            found[chosen] = self._answers(table, [rows[index] for index in chosen])
        return found

    def _answers(self, table: FloatArray, rows: Sequence[IndexArray]) -> FloatArray:
        lengths, widest = np.array([len(row) for row in rows]), max(self.widths)
        longest = int(lengths.max())
        padded = np.zeros((len(rows), longest + 2 * widest - 2), dtype=np.int64)
        for place, row in enumerate(rows):
            padded[place, widest - 1 : widest - 1 + len(row)] = row
        used, inverse = np.unique(padded, return_inverse=True)
        inverse = inverse.reshape(padded.shape)
        parts = []
        for number, width in enumerate(self.widths):
            weight, bias = (self.weights[f"body.convolutions.{number}.{name}"] for name in ("weight", "bias"))
            # What each filter answers to each word in each place of a window is computed once for each word.
            answers = [table[used] @ weight[:, :, place].T for place in range(width)]
            windows = longest + width - 1
            first = widest - width
            summed = sum(
                (answers[place][inverse[:, first + place : first + place + windows]] for place in range(width)),
                start=np.zeros((len(rows), windows, len(bias)), dtype=np.float32),
            )
            summed[np.arange(windows) >= lengths[:, None] + width - 1] = -np.inf
            parts.append(summed.max(axis=1) + bias)
        found: FloatArray = np.maximum(np.concatenate(parts, axis=1), 0)
        return found


class TfIdfPass(NumpyPass):
    """The words of a text by themselves, weighted by how rare they are."""

    def features(self, texts: Tokens) -> FloatArray:
        found = np.zeros((len(texts), len(self.output)), dtype=np.float32)
        for place, text in enumerate(texts):
            for word in text:
                found[place, self.row.get(word, 0)] += 1
        weighted: FloatArray = np.log1p(found) * self.weights["idf"]
        return weighted


NUMPY_PASSES: dict[str, type[NumpyPass]] = {"linear": LinearPass, "cnn": CnnPass, "tfidf": TfIdfPass}
