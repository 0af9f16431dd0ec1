"""The English side: vectors of dictionary entries, and what an English model makes of a foreign word's spelling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.explanation import Source
from everyword.models.known import FOREIGN
from everyword.models.model import Model
from everyword.systems.language.config import LanguageConfig
from everyword.systems.language.lexicon import Dictionary
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

FLAT_RANKS = 1000
"""The first English words are about equally likely to be meant."""


class EnglishModel:
    """An English model; its foreign words are hidden, since the dictionary alone may say what those mean."""

    def __init__(self, model: Model) -> None:
        known = model.known_words
        foreign = known.sections.get(FOREIGN, range(0))
        self.model = model.without([known.words[row] for row in foreign]) if len(foreign) else model
        self.dim, self.index, self.normalise = model.dim, self.model.known_words.index, model.normalise

    def vectors(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of all words."""
        return unit_rows(self.model.encode(words), in_place=True)

    def read_as_english(self, words: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Return the vectors that the model makes, and its confidence where they come from one known word."""
        vectors, explained = self.model.look_up(words)
        sure = [
            found.confidence or 0.0 if found.source in (Source.KNOWN, Source.RETRIEVED) else 0.0 for found in explained
        ]
        return unit_rows(vectors, in_place=True), np.array(sure, dtype=np.float32)


class EnglishTable:
    """A table of English vectors; words that it does not have are not known."""

    def __init__(self, table: VectorTable) -> None:
        self.index: dict[str, int] = {}
        for row, word in enumerate(table.words):
            self.index.setdefault(self.normalise(word), row)
        self._table, self.dim = table, table.dim

    @staticmethod
    def normalise(word: str) -> str:
        """Return the word in small letters."""
        return " ".join(word.lower().split())

    def vectors(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of stored words; that of a phrase is the mean of its words."""
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        for number, word in enumerate(words):
            rows = [self.index[word]] if word in self.index else [self.index.get(part, -1) for part in word.split()]
            if rows and min(rows) >= 0:
                vectors[number] = unit_rows(self._table.matrix[rows]).mean(axis=0)
        return unit_rows(vectors, in_place=True)

    def read_as_english(self, words: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Return the vectors of words that are spelt as English ones."""
        vectors = self.vectors(words)
        return vectors, np.asarray(vectors.any(axis=1), dtype=np.float32)


English = EnglishModel | EnglishTable


class Translated:
    """The words of a dictionary and the vectors of their translations."""

    def __init__(self, dictionary: Dictionary, english: English, config: LanguageConfig) -> None:
        meanings = sorted({meaning for of in dictionary.translations.values() for meaning in of})
        self.meanings = english.vectors(meanings)
        """Unit vectors of all English entries; zeros for those without one."""
        row_of = {meaning: row for row, meaning in enumerate(meanings) if self.meanings[row].any()}
        shared = np.zeros(len(meanings))
        for of in dictionary.translations.values():
            shared[[row_of[meaning] for meaning in of if meaning in row_of]] += 1
        unknown = len(english.index)
        rank = np.array([english.index.get(meaning, unknown) for meaning in meanings], dtype=np.float64)
        weight = np.maximum(shared, 1) ** -config.spread * (rank + FLAT_RANKS) ** -config.rarity
        self.rows: dict[str, IndexArray] = {}
        self.weights: dict[str, FloatArray] = {}
        for word, of in dictionary.translations.items():
            rows = [row_of[meaning] for meaning in of if meaning in row_of]
            if rows:
                kinds = np.array([of[meaning] for meaning in of if meaning in row_of])
                self.rows[word] = np.array(rows)
                self.weights[word] = (weight[rows] * np.sqrt(kinds)).astype(np.float32)

    def __len__(self) -> int:
        return len(self.rows)

    def vector(self, word: str, without: int | None = None) -> FloatArray:
        """Return the weighted mean of a word's translations as a unit vector, perhaps without one of them."""
        rows, weights = self.rows[word], self.weights[word]
        if without is not None:
            rows, weights = np.delete(rows, without), np.delete(weights, without)
        mean = weights[None, :] @ self.meanings[rows]
        vector: FloatArray = unit_rows(mean)[0]
        return vector

    def vectors(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words by their translations; zeros for words without any."""
        found = np.zeros((len(words), self.meanings.shape[1]), dtype=np.float32)
        for number, word in enumerate(words):
            if word in self.rows:
                found[number] = self.weights[word] @ self.meanings[self.rows[word]]
        return unit_rows(found, in_place=True)
