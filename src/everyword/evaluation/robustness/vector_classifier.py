"""A classifier over word vectors that is quick to attack: logistic regression over the means of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.evaluation.evaluated_model import WORDS_AT_ONCE, EvaluatedModel
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.word_probes import STRENGTHS, WordList
from everyword.evaluation.robustness.attack import Item, Text
from everyword.models.retrieval.runs import run_sums
from everyword.sentences.tokens import tokens_of

TEXTS_AT_ONCE = 4096


class TextRows:
    """The words of texts as rows of one list; each text is cut once, whoever asks."""

    def __init__(self) -> None:
        self.words = WordList()
        self._rows: dict[str, IndexArray] = {}

    def __call__(self, text: str) -> IndexArray:
        """Return the rows of the words of a text."""
        if text not in self._rows:
            self._rows[text] = self.words.rows(tokens_of(text))
        return self._rows[text]


@dataclass
class VectorClassifier:
    """Classifies texts by the means of their vectors, and pairs by how their means differ and by what they share.

    Words without a vector do not count.
    """

    model: EvaluatedModel
    rows: TextRows = field(default_factory=TextRows)
    fitted: LogisticRegression | None = None

    def __post_init__(self) -> None:
        self._vectors = np.zeros((0, self.model.dim), dtype=np.float32)
        self._there = np.zeros(0, dtype=np.bool_)

    def fit(self, train: Sequence[Item], dev: Sequence[Item]) -> VectorClassifier:
        """Fit to texts; dev chooses the penalty."""
        features, labels = self.features([item.text for item in train]), _labels(train)
        held, wanted = self.features([item.text for item in dev]), _labels(dev)
        fits = [LogisticRegression.fit(features, labels, strength) for strength in STRENGTHS]
        self.fitted = fits[int(np.argmax([(fit.predict(held) == wanted).mean() for fit in fits]))]
        return self

    def __call__(self, texts: Sequence[Text]) -> FloatArray:
        """Return the probability of each label, (texts, labels)."""
        assert self.fitted is not None
        parts = [texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE)]
        return np.concatenate([self.fitted.probabilities(self.features(part)) for part in parts])

    def features(self, texts: Sequence[Text]) -> FloatArray:
        """Return the features of texts, a row each."""
        means = [self.means([text[place] for text in texts])[0] for place in range(len(texts[0]))]
        if len(means) == 1:
            return means[0]
        found: FloatArray = np.concatenate([np.abs(means[0] - means[1]), means[0] * means[1]], axis=1)
        return found

    def means(self, texts: Sequence[str]) -> tuple[FloatArray, IndexArray]:
        """Return the mean vector of each text, and of how many words it is."""
        rows = [self.rows(text) for text in texts]
        vectors = self._known_vectors()
        rows = [row[self._there[row]] for row in rows]
        counts = np.array([len(row) for row in rows], dtype=np.int64)
        means = np.zeros((len(texts), self.model.dim), dtype=np.float32)
        some = counts > 0
        if some.any():
            starts = np.concatenate([[0], np.cumsum(counts[some])[:-1]])
            means[some] = run_sums(vectors[np.concatenate(rows)], starts) / counts[some, None]
        return means, counts

    def _known_vectors(self) -> FloatArray:
        """Return the vectors of all words so far; new ones are encoded once."""
        if len(self._vectors) < len(self.rows.words):
            words = self.rows.words.words[len(self._vectors) :]
            starts = range(0, len(words), WORDS_AT_ONCE)
            new = np.concatenate([self.model.encode(words[start : start + WORDS_AT_ONCE]) for start in starts])
            self._vectors = np.concatenate([self._vectors, new])
            self._there = np.concatenate([self._there, (new != 0).any(axis=1)])
        return self._vectors


def _labels(items: Sequence[Item]) -> IndexArray:
    return np.array([item.label for item in items], dtype=np.int64)
