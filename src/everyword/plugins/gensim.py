"""gensim: a model that answers like `gensim.models.KeyedVectors`, and for every word.

The look-alike needs no gensim. For words of its table it gives the answers that gensim gives for the same table; a word
outside gets the model's vector, where gensim raises `KeyError`. `in` still means "in the table", so that known words
and guessed ones can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.extras import require
from everyword.models.model import Model
from everyword.plugins.inputs import given_model
from everyword.text.normalise import listed_words
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

Key = str | FloatArray
"""What has a direction: a word, or a vector."""
Keys = Key | Sequence[Key | tuple[Key, float]] | None
"""One or several of them, each perhaps with a weight."""


class EverywordVectors:
    """A table of words with the interface of gensim's `KeyedVectors`, in front of a model that knows the rest.

    `model` is a Model, a name, a folder or None for the default. The table holds the words that the model stores, or
    the `words` given.
    """

    def __init__(self, model: Model | str | Path | None = None, words: Iterable[str] | None = None) -> None:
        self.model = given_model(model)
        self._listed = None if words is None else self.model.vectors_for(words)
        source = self.model.known_words if self._listed is None else self._listed
        self.index_to_key: list[str] = list(source.words)
        self.key_to_index: dict[str, int] = {word: row for row, word in enumerate(self.index_to_key)}

    @cached_property
    def vectors(self) -> FloatArray:
        """One row for each word of the table, as floats; made on first use, because a model stores them packed."""
        if self._listed is not None:
            return self._listed.matrix
        return self.model.known_words.matrix.floats(slice(None))

    @property
    def vector_size(self) -> int:
        """Length of the vectors."""
        return self.model.dim

    def __len__(self) -> int:
        return len(self.index_to_key)

    def __repr__(self) -> str:
        return f"EverywordVectors({self.model.name!r}, vector_size={self.vector_size}, {len(self):,} keys)"

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._row(key) is not None

    def has_index_for(self, key: str) -> bool:
        """Whether the word is in the table."""
        return key in self

    def _row(self, word: str) -> int | None:
        # A list given by the caller keeps its spelling; a model's own words are found under any that means them.
        row = self.key_to_index.get(word)
        return self.key_to_index.get(self.model.normalise(word)) if row is None else row

    def __getitem__(self, key_or_keys: str | Iterable[str]) -> FloatArray:
        return self.model.encode(key_or_keys)

    def get_vector(self, key: str, norm: bool = False) -> FloatArray:
        """The vector of any word; with `norm`, of length 1."""
        vector = self.model[key]
        return _direction(vector) if norm else vector

    def get_normed_vectors(self) -> FloatArray:
        """The table with all rows of length 1."""
        return unit_rows(self.vectors)

    def most_similar(
        self, positive: Keys = None, negative: Keys = None, topn: int | None = 10, restrict_vocab: int | None = None
    ) -> list[tuple[str, float]] | FloatArray:
        """The words of the table nearest to a sum of words and vectors, those given left out, with their cosines.

        A pair of word and weight counts by that weight. `restrict_vocab` looks only at the first words of the table.
        With `topn=None` the cosines of all words come back, in the table's order.
        """
        _check_count("topn", topn)
        _check_count("restrict_vocab", restrict_vocab)
        given = [*_weighed(positive, 1.0), *_weighed(negative, -1.0)]
        total = self._sum_of_directions(given)
        cosines = self._cosines(total)[: restrict_vocab or None]
        if topn is None:
            return cosines
        if not total.any():
            return []  # a direction that is none has no neighbours
        left_out = {self._row(key) for key, _ in given if isinstance(key, str)}
        best = np.argsort(-cosines, kind="stable")[: topn + len(left_out)].tolist()
        found = [(self.index_to_key[row], float(cosines[row])) for row in best if row not in left_out]
        return found[:topn]

    def similar_by_word(
        self, word: str, topn: int | None = 10, restrict_vocab: int | None = None
    ) -> list[tuple[str, float]] | FloatArray:
        """The words of the table nearest to a word."""
        return self.most_similar([word], topn=topn, restrict_vocab=restrict_vocab)

    similar_by_key = similar_by_word

    def similar_by_vector(
        self, vector: FloatArray, topn: int | None = 10, restrict_vocab: int | None = None
    ) -> list[tuple[str, float]] | FloatArray:
        """The words of the table nearest to a vector."""
        return self.most_similar([vector], topn=topn, restrict_vocab=restrict_vocab)

    def similarity(self, w1: str, w2: str) -> float:
        """Cosine of two words; 0.0 if either has no vector."""
        return self.model.similarity(w1, w2)

    def distance(self, w1: str, w2: str) -> float:
        """One less the cosine of two words."""
        return 1.0 - self.similarity(w1, w2)

    def n_similarity(self, ws1: Iterable[str], ws2: Iterable[str]) -> float:
        """Cosine of the means of two lists of words."""
        first, second = (_direction(self[_some_words(words)].mean(axis=0)) for words in (ws1, ws2))
        return float(first @ second)

    def doesnt_match(self, words: Iterable[str]) -> str:
        """The word furthest from the middle of all."""
        listed = _some_words(words)
        directions = unit_rows(self[listed])
        closeness = directions @ _direction(directions.mean(axis=0))
        return min(zip(closeness.tolist(), listed, strict=True))[1]

    def closer_than(self, key1: str, key2: str) -> list[str]:
        """The words of the table that are nearer to the first word than the second word is."""
        cosines = self._cosines(self.model[key1])
        here, there = self._row(key1), self._row(key2)
        # A word of the table is compared by its own entry: computed twice, it could round to nearer than itself.
        bound = self.similarity(key1, key2) if there is None else cosines[there]
        return [self.index_to_key[row] for row in np.flatnonzero(cosines > bound).tolist() if row != here]

    def rank(self, key1: str, key2: str) -> int:
        """Which neighbour of the first word the second one is, 1 for the nearest."""
        return len(self.closer_than(key1, key2)) + 1

    def vectors_for_all(self, keys: Iterable[str], allow_inference: bool = True) -> EverywordVectors:
        """The same model behind a table of these words; without inference, of those in this table."""
        made = EverywordVectors(self.model, keys)
        if allow_inference:
            return made
        return EverywordVectors(self.model, [key for key in made.index_to_key if key in self])

    def save_word2vec_format(self, fname: str | Path, binary: bool = False) -> None:
        """Write the table as word2vec text or binary."""
        table = VectorTable.from_checked(self.index_to_key, self.vectors)
        table.save(fname, format="word2vec-binary" if binary else "word2vec")

    @cached_property
    def _shares_of_length(self) -> FloatArray:
        lengths = np.linalg.norm(self.vectors, axis=1)
        shares: FloatArray = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return shares

    def _cosines(self, vector: FloatArray) -> FloatArray:
        cosines: FloatArray = (self.vectors @ _direction(vector)) * self._shares_of_length
        return cosines

    def _sum_of_directions(self, given: list[tuple[Key, float]]) -> FloatArray:
        if not given:
            raise InputError("At least one word or vector is needed. Got none.")
        # As in gensim, a word counts by its direction and a vector as it is.
        vectors = [self.get_vector(key, norm=True) if isinstance(key, str) else self._checked(key) for key, _ in given]
        total: FloatArray = np.array([weight for _, weight in given], dtype=np.float32) @ np.stack(vectors)
        return total

    def _checked(self, vector: Any) -> FloatArray:
        if not isinstance(vector, np.ndarray) or vector.shape != (self.vector_size,) or vector.dtype.kind not in "fiu":
            seen = f"an array of shape {vector.shape}" if isinstance(vector, np.ndarray) else repr(vector)
            raise InputError(f"A key must be a word or a vector of {self.vector_size} numbers. Got {seen} instead.")
        return vector.astype(np.float32)


def to_keyed_vectors(model: Model | str | Path | None = None, words: Iterable[str] | None = None) -> Any:
    """A real `gensim.models.KeyedVectors` of a model's words or of any others; needs the extra `gensim`."""
    gensim = require("gensim", "A gensim KeyedVectors")
    ours = EverywordVectors(model, words)
    made = gensim.models.KeyedVectors(ours.vector_size)
    made.add_vectors(ours.index_to_key, ours.vectors)
    return made


def _direction(vector: FloatArray) -> FloatArray:
    """The vector at length 1; zero stays zero."""
    unit: FloatArray = unit_rows(vector[None, :])[0]
    return unit


def _weighed(keys: Keys, weight: float) -> list[tuple[Key, float]]:
    """Keys with their weights; one key alone need not be in a list."""
    if keys is None:
        return []
    alone = isinstance(keys, str) or not isinstance(keys, Iterable) or (isinstance(keys, np.ndarray) and keys.ndim == 1)
    listed: list[Any] = [keys] if alone else list(keys)
    return [key if _is_pair(key) else (key, weight) for key in listed]


def _is_pair(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], Real)


def _some_words(words: Iterable[str]) -> list[str]:
    listed = listed_words(words)
    if not listed:
        raise InputError("At least one word is needed. Got an empty list.")
    return listed


def _check_count(name: str, count: int | None) -> None:
    if count is not None and not (isinstance(count, Integral) and count >= 0):
        raise InputError(f"'{name}' must be a whole number from 0 on, or None. Got {count!r} instead.")
