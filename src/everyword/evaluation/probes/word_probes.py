"""Tasks that are prepared once and then score many changes of the same words' vectors, each in moments.

A probe knows its words by their rows in one list, so that a change of the space is one matrix for all probes. A text is
the mean of the vectors of its words, and a logistic regression classifies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.text_sets import LabelledTexts, Split
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.vectors.neighbours import unit_rows

STRENGTHS = (0.01, 0.1, 1.0)
"""Inverse weights of the penalty of a logistic regression; dev chooses."""
TOKENS_AT_ONCE = 1 << 15

Doubles = NDArray[np.float64]


class WordList:
    """Words in a fixed order, each once; probes count on their rows."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}

    def rows(self, words: Iterable[str]) -> IndexArray:
        """Return the row of each word, a new one for a new word."""
        return np.array([self._rows.setdefault(word, len(self._rows)) for word in words], dtype=np.int64)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def words(self) -> list[str]:
        """All words so far."""
        return list(self._rows)


@dataclass(frozen=True)
class SimilarityProbe:
    """Word pairs: do their cosines rank like human judgements?"""

    name: str
    first: IndexArray
    second: IndexArray
    scores: Doubles

    @classmethod
    def of(cls, data: SimilaritySet, words: WordList) -> SimilarityProbe:
        """Prepare a similarity set."""
        first, second = (words.rows(pair[side] for pair in data.pairs) for side in (0, 1))
        return cls(data.name, first, second, data.scores)

    @property
    def n(self) -> int:
        """How many pairs are scored."""
        return len(self.scores)

    def score(self, vectors: FloatArray) -> float:
        """Return Spearman's correlation × 100; a pair with a zero vector has cosine 0."""
        one, other = (unit_rows(vectors[rows]) for rows in (self.first, self.second))
        return 100 * spearman(np.einsum("ij,ij->i", one, other), self.scores)

    def sums(self, coordinates: FloatArray) -> PairSums:
        """Return running sums of products, from which the cosines of any block of coordinates follow."""
        one, other = (coordinates[rows].astype(np.float64) for rows in (self.first, self.second))
        return PairSums(*(_running(left * right) for left, right in ((one, other), (one, one), (other, other))))


@dataclass(frozen=True)
class PairSums:
    """Running sums over coordinates of pairs: products, and squares of either side."""

    products: Doubles
    first: Doubles
    second: Doubles

    def cosines(self, start: int, stop: int) -> Doubles:
        """Return the cosines of the coordinates from `start` to before `stop`."""
        product, one, other = (sums[:, stop] - sums[:, start] for sums in (self.products, self.first, self.second))
        lengths = np.sqrt(np.maximum(one, 0) * np.maximum(other, 0))
        cosines: Doubles = np.divide(product, lengths, out=np.zeros_like(product), where=lengths > 0)
        return cosines


def _running(values: Doubles) -> Doubles:
    return np.concatenate([np.zeros((len(values), 1)), values.cumsum(axis=1)], axis=1)


@dataclass(frozen=True)
class TextProbe:
    """Labelled texts: how well does a logistic regression over the mean of word vectors classify them?"""

    name: str
    tokens: IndexArray
    """The rows of all tokens, text after text."""
    starts: IndexArray
    """Where each text begins among them, and the end of the last one."""
    labels: IndexArray
    splits: tuple[Split, ...]

    @classmethod
    def of(cls, data: LabelledTexts, words: WordList) -> TextProbe:
        """Prepare a set of labelled texts."""
        tokens = words.rows(token for text in data.tokens for token in text)
        starts = np.concatenate([[0], np.cumsum([len(text) for text in data.tokens])])
        return cls(data.name, tokens, starts, data.labels, data.splits)

    @cached_property
    def n(self) -> int:
        """How many texts are scored."""
        return sum(len(split.test) for split in self.splits)

    def features(self, vectors: FloatArray, known: BoolArray) -> FloatArray:
        """Return the mean of the vectors of each text's known words; zeros for a text without any."""
        means = np.zeros((len(self.starts) - 1, vectors.shape[1]), dtype=np.float32)
        for texts in self._blocks():
            begin, end = self.starts[texts.start], self.starts[texts.stop]
            rows = self.tokens[begin:end]
            there = known[rows]
            text_of = np.repeat(np.arange(texts.stop - texts.start), np.diff(self.starts[texts.start : texts.stop + 1]))
            counts = np.bincount(text_of[there], minlength=texts.stop - texts.start)
            some = counts > 0
            if some.any():
                firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])[some]
                sums = np.add.reduceat(vectors[rows[there]], firsts, axis=0)
                means[texts][some] = sums / counts[some, None]
        return means

    def _blocks(self) -> Iterator[slice]:
        """Slices of texts with a bounded number of tokens, or one text each."""
        start, texts = 0, len(self.starts) - 1
        while start < texts:
            stop = int(np.searchsorted(self.starts, self.starts[start] + TOKENS_AT_ONCE, side="right")) - 1
            stop = min(max(stop, start + 1), texts)
            yield slice(start, stop)
            start = stop

    def strength(self, features: FloatArray) -> float:
        """Return the inverse penalty that dev chooses."""
        split = self.splits[0]
        right = [self._right(features, split.train, split.dev, strength) for strength in STRENGTHS]
        return STRENGTHS[int(np.argmax(right))]

    def score(self, features: FloatArray, strength: float | None = None) -> float:
        """Return the accuracy × 100 over all test texts; without a strength, dev chooses one."""
        chosen = self.strength(features) if strength is None else strength
        right = sum(self._right(features, split.train, split.test, chosen) for split in self.splits)
        return 100 * right / self.n

    def _right(self, features: FloatArray, train: IndexArray, test: IndexArray, strength: float) -> int:
        """Return how many texts are classified correctly by what others teach."""
        fitted = LogisticRegression.fit(features[train], self.labels[train], strength)
        return int((fitted.predict(features[test]) == self.labels[test]).sum())


Probe = SimilarityProbe | TextProbe


def score_all(probes: Sequence[Probe], vectors: FloatArray, known: BoolArray) -> dict[str, float]:
    """Return the score of each probe for the vectors of the words that they share; unknown words are zeros."""
    there = np.where(known[:, None], vectors, np.float32(0))
    return {
        probe.name: probe.score(there)
        if isinstance(probe, SimilarityProbe)
        else probe.score(probe.features(there, known))
        for probe in probes
    }
