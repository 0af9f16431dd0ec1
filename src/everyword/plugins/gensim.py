"""gensim: a model with the methods of `gensim.models.KeyedVectors`, and a vector for every word.

For words of its table it gives the answers that gensim gives for the same table; a word outside gets the model's
vector, where gensim raises `KeyError`. `in` still means "in the table", so that known words and guessed ones can be
distinguished. Only Word Mover's Distance and the two evaluations need gensim itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.extras import require
from everyword.models.model import Model
from everyword.plugins.keyed_table import KeyedTable, direction
from everyword.text.normalise import listed_words
from everyword.vectors.neighbours import unit_rows

Key = str | FloatArray
"""What has a direction: a word, or a vector."""
Keys = Key | Sequence[Key | tuple[Key, float]] | None
"""One or several of them, each perhaps with a weight."""
Neighbours = list[tuple[str, float]]
SMALLEST = 1e-6
"""What gensim adds to a product of distances that it divides by."""


class EverywordVectors(KeyedTable):
    """A table of words with the methods of gensim's `KeyedVectors`, in front of a model that knows the rest.

    Args:
        model: A Model, a name, a folder, or None for the default model.
        words: The words of the table; by default those that the model stores.
    """

    def get_normed_vectors(self) -> FloatArray:
        """Return the table with all rows of length 1."""
        return unit_rows(self.vectors)

    def get_mean_vector(
        self,
        keys: Sequence[Key],
        weights: Sequence[float] | FloatArray | None = None,
        pre_normalize: bool = True,
        post_normalize: bool = False,
        *,
        ignore_missing: bool = True,
    ) -> FloatArray:
        """Return the weighted mean of words, by default at length 1 each, and of vectors as they are.

        Words that nothing is known about are left out, or are a `KeyError` without `ignore_missing`.
        """
        if not len(keys) or (weights is not None and len(weights) != len(keys)):
            seen = f"{len(keys)} keys and {len(keys) if weights is None else len(weights)} weights"
            raise InputError(f"A mean needs at least one key, and as many weights as keys. Got {seen}.")
        given = np.ones(len(keys)) if weights is None else np.asarray(weights, dtype=np.float64)
        vectors = np.stack([self._vector(key, norm=pre_normalize) for key in keys])
        missing = [key for key, vector in zip(keys, vectors, strict=True) if isinstance(key, str) and not vector.any()]
        if missing and not ignore_missing:
            raise KeyError(f"Nothing is known about the word {missing[0]!r}.")
        counting = np.array([not isinstance(key, str) or key not in missing for key in keys])
        total = np.abs(given[counting]).sum()
        mean: FloatArray = (given @ vectors / (total or 1.0)).astype(np.float32)
        return direction(mean) if post_normalize else mean

    def most_similar(
        self,
        positive: Keys = None,
        negative: Keys = None,
        topn: int | None = 10,
        *,
        clip_start: int = 0,
        clip_end: int | None = None,
        restrict_vocab: int | None = None,
    ) -> Neighbours | FloatArray:
        """Return the words of the table nearest to a sum of words and vectors, those given left out.

        Args:
            positive: Words and vectors to add; a pair of word and weight counts by that weight.
            negative: Words and vectors to subtract.
            topn: How many; None returns the cosines of all words, in the table's order.
            clip_start: The first row of the table to look at.
            clip_end: The row to stop before.
            restrict_vocab: Look only at the first words of the table; the same as `clip_end`.

        Returns:
            Words with their cosines, nearest first.
        """
        _check_count("topn", topn)
        _check_count("restrict_vocab", restrict_vocab)
        given = [*_weighted(positive, 1.0), *_weighted(negative, -1.0)]
        if not given:
            raise InputError("At least one word or vector is needed. Got none.")
        # As in gensim, a word counts by its direction and a vector as it is.
        vectors = np.stack([self._vector(key, norm=True) for key, _ in given])
        total: FloatArray = np.array([weight for _, weight in given], dtype=np.float32) @ vectors
        cosines = self._cosines(total)[clip_start : restrict_vocab or clip_end]
        if topn is None:
            return cosines
        # A zero vector has no direction, and no neighbours.
        return self._best(cosines, topn, [key for key, _ in given], clip_start) if total.any() else []

    def most_similar_cosmul(
        self, positive: Keys = None, negative: Keys = None, topn: int | None = 10, restrict_vocab: int | None = None
    ) -> Neighbours | FloatArray:
        """Return the words of the table nearest to words and vectors by a product of distances (Levy and Goldberg).

        The arguments are those of `most_similar`, without weights.
        """
        _check_count("topn", topn)
        _check_count("restrict_vocab", restrict_vocab)
        added, subtracted = ([key for key, _ in _weighted(keys, 1.0)] for keys in (positive, negative))
        if not added:
            raise InputError("At least one word or vector is needed. Got none.")
        near, far = (
            np.prod([(1 + self.vectors @ self._vector(key, norm=True) * self.shares_of_length) / 2 for key in keys], 0)
            for keys in (added, subtracted)
        )
        scores: FloatArray = (near / (far + SMALLEST))[: restrict_vocab or None]
        return scores if topn is None else self._best(scores, topn, [*added, *subtracted])

    def similar_by_key(
        self, key: str, topn: int | None = 10, restrict_vocab: int | None = None
    ) -> Neighbours | FloatArray:
        """Return the words of the table nearest to a word."""
        return self.most_similar([key], topn=topn, restrict_vocab=restrict_vocab)

    similar_by_word = similar_by_key

    def similar_by_vector(
        self, vector: FloatArray, topn: int | None = 10, restrict_vocab: int | None = None
    ) -> Neighbours | FloatArray:
        """Return the words of the table nearest to a vector."""
        return self.most_similar([vector], topn=topn, restrict_vocab=restrict_vocab)

    def most_similar_to_given(self, key1: str, keys_list: Sequence[str]) -> str:
        """Return the word of a list that is nearest to a word."""
        return keys_list[int(np.argmax(1 - self.distances(key1, _some_words(keys_list))))]

    def similarity(self, w1: str, w2: str) -> float:
        """Return the cosine of two words; 0.0 if either has no vector."""
        return self.model.similarity(w1, w2)

    def relative_cosine_similarity(self, wa: str, wb: str, topn: int = 10) -> float:
        """Return the cosine of two words as a share of the sum of the first one's cosines to its neighbours."""
        near = sum(cosine for _, cosine in self.similar_by_key(wa, topn))
        if not near:
            raise InputError(f"A relative similarity needs a word with neighbours. Got {wa!r} with topn={topn}.")
        return self.similarity(wa, wb) / near

    def distance(self, w1: str, w2: str) -> float:
        """Return one minus the cosine of two words."""
        return 1.0 - self.similarity(w1, w2)

    def distances(self, word_or_vector: Key, other_words: Sequence[str] = ()) -> FloatArray:
        """Return one minus the cosines of a word or vector to other words, or to all words of the table."""
        vector = self._vector(word_or_vector)
        cosines = unit_rows(self[other_words]) @ direction(vector) if len(other_words) else self._cosines(vector)
        return np.asarray(1 - cosines)

    @staticmethod
    def cosine_similarities(vector_1: FloatArray, vectors_all: FloatArray) -> FloatArray:
        """Return the cosines of a vector to the rows of a matrix; 0 where either is zero."""
        return np.asarray(unit_rows(vectors_all) @ direction(vector_1))

    def n_similarity(self, ws1: Iterable[str], ws2: Iterable[str]) -> float:
        """Return the cosine of the means of two lists of words."""
        first, second = (direction(self[_some_words(words)].mean(axis=0)) for words in (ws1, ws2))
        return float(first @ second)

    def rank_by_centrality(self, words: Iterable[str], use_norm: bool = True) -> list[tuple[float, str]]:
        """Return words with their closeness to the mean of all, the closest first."""
        listed = _some_words(words)
        vectors = unit_rows(self[listed]) if use_norm else self[listed]
        return sorted(zip((vectors @ direction(vectors.mean(axis=0))).tolist(), listed, strict=True), reverse=True)

    def doesnt_match(self, words: Iterable[str]) -> str:
        """Return the word furthest from the mean of all."""
        return self.rank_by_centrality(words)[-1][1]

    def closer_than(self, key1: str, key2: str) -> list[str]:
        """Return the words of the table that are nearer to the first word than the second word is."""
        cosines = self._cosines(self.model[key1])
        here, there = self.row(key1), self.row(key2)
        # A word of the table is compared by its own entry: computed twice, it could round to nearer than itself.
        bound = self.similarity(key1, key2) if there is None else cosines[there]
        return [self.index_to_key[row] for row in np.flatnonzero(cosines > bound).tolist() if row != here]

    words_closer_than = closer_than

    def rank(self, key1: str, key2: str) -> int:
        """Return which neighbour of the first word the second one is, 1 for the nearest."""
        return len(self.closer_than(key1, key2)) + 1

    def vectors_for_all(
        self, keys: Iterable[str], allow_inference: bool = True, copy_vecattrs: bool = False
    ) -> EverywordVectors:
        """Return a table of these words in front of the same model; without inference, of those in this table."""
        listed = listed_words(keys)
        table = EverywordVectors(self.model, listed if allow_inference else [key for key in listed if key in self])
        for attr in self.expandos if copy_vecattrs else ():
            for key in table.index_to_key:
                if key in self:
                    table.set_vecattr(key, attr, self.get_vecattr(key, attr))
        return table

    def wmdistance(self, document1: Iterable[str], document2: Iterable[str], norm: bool = True) -> float:
        """Return Word Mover's Distance between two lists of words; needs the extra `gensim`."""
        first, second = listed_words(document1), listed_words(document2)
        table = to_keyed_vectors(self.model, [*first, *second])
        return float(table.wmdistance(first, second, norm=norm))

    def evaluate_word_pairs(
        self, pairs: str | Path, delimiter: str = "\t", restrict_vocab: int | None = 300_000, **options: Any
    ) -> tuple[Any, Any, float]:
        """Correlate cosines with the numbers of a file (two words and a number per line); needs the extra `gensim`.

        Of the table only the first `restrict_vocab` words count. Returns Pearson's and Spearman's correlation, and the
        percentage of pairs that were left out.
        """
        table = self._with_words_of(pairs, restrict_vocab, lambda line: line.split(delimiter)[:2])
        return table.evaluate_word_pairs(str(pairs), delimiter, restrict_vocab=None, **options)  # type: ignore[no-any-return]

    def evaluate_word_analogies(
        self, analogies: str | Path, restrict_vocab: int | None = 300_000, **options: Any
    ) -> tuple[float, list[dict[str, Any]]]:
        """Solve the analogies of a file (four words per line, sections ": name"); needs the extra `gensim`.

        Of the table only the first `restrict_vocab` words count. Returns the share of right answers, and all answers.
        """
        table = self._with_words_of(analogies, restrict_vocab, str.split)
        return table.evaluate_word_analogies(str(analogies), restrict_vocab=len(table), **options)  # type: ignore[no-any-return]

    def _with_words_of(self, path: str | Path, restrict_vocab: int | None, words_of: Any) -> Any:
        """Make a gensim table of the first words of this one, and of all that the lines of a file add to them."""
        with require("gensim.utils", "An evaluation by gensim").open(str(path), encoding="utf8") as lines:
            found = {word for line in lines if line[0] not in "#:" for word in words_of(line.strip())}
        added = [word for word in sorted(found) if word not in self and self.model[word].any()]
        return to_keyed_vectors(self.model, [*self.index_to_key[:restrict_vocab], *added])

    def _cosines(self, vector: FloatArray) -> FloatArray:
        cosines: FloatArray = (self.vectors @ direction(vector)) * self.shares_of_length
        return cosines

    def _best(self, scores: FloatArray, count: int, left_out: Iterable[Key], first: int = 0) -> Neighbours:
        """Return the words with the largest scores, except some; `first` is the row of the first score."""
        rows = {self.row(key) for key in left_out if isinstance(key, str)}
        best = (first + np.argsort(-scores, kind="stable")[: count + len(rows)]).tolist()
        return [(self.index_to_key[row], float(scores[row - first])) for row in best if row not in rows][:count]

    def _vector(self, key: Any, *, norm: bool = False) -> FloatArray:
        """Return the vector of a word, or a vector itself."""
        if isinstance(key, str):
            return self.get_vector(key, norm)
        if not isinstance(key, np.ndarray) or key.shape != (self.vector_size,) or key.dtype.kind not in "fiu":
            seen = f"an array of shape {key.shape}" if isinstance(key, np.ndarray) else repr(key)
            raise InputError(f"A key must be a word or a vector of {self.vector_size} numbers. Got {seen} instead.")
        return key.astype(np.float32)


def to_keyed_vectors(model: Model | str | Path | None = None, words: Iterable[str] | None = None) -> Any:
    """Make a real `gensim.models.KeyedVectors`, which knows its words and no others; needs the extra `gensim`.

    Args:
        model: A Model, a name, a folder, or None for the default model.
        words: Any words; by default those that the model stores.
    """
    gensim = require("gensim", "A gensim KeyedVectors")
    ours = EverywordVectors(model, words)
    made = gensim.models.KeyedVectors(ours.vector_size)
    made.add_vectors(ours.index_to_key, ours.vectors)
    return made


def _weighted(keys: Keys, weight: float) -> list[tuple[Key, float]]:
    """Return keys with their weights; one key alone need not be in a list."""
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
