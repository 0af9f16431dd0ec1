"""How well a candidate fits its place and its spelling, in numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.sentences.context.candidates import OF_WORD, SPELLING, WordCandidates
from everyword.sentences.context.ngram_table import NgramTable, ngram_keys
from everyword.vectors.neighbours import rows_of_length
from everyword.vectors.storage.quantised import Matrix

FIT = (
    *("probability", "rank", "pair with left", "pair with right", "triple left", "triple around", "triple right"),
    *("count left pair", "count right pair", "count triple left", "count triple around", "count triple right"),
)
"""How a word fits its place: logarithms of its probability, of how much more probable its neighbours make it, or it
makes them, and of the counts behind that."""
OWN = (0, 1, 2, 3, 7, 8, 9, 10, 11)
"""Which of them are told of the word as it is written, beside the differences of all."""
PLACE = (
    *("capital", "first of sentence", "capital inside", "left unknown", "right unknown", "left mark", "right mark"),
    *("left capital", "right capital"),
)
THEME = ("theme", "own theme", "words of theme")
"""Cosines of the candidate and of the word itself to the words around, and how many these are."""
FEATURES = (*FIT, *(f"own {FIT[which]}" for which in OWN), *SPELLING, *OF_WORD, *PLACE, *THEME)
PAIR_WEIGHT, TRIPLE_WEIGHT = np.float32(60), np.float32(4)
"""How many times a word would have to be seen after others for these counts to weigh as much as shorter n-grams."""
TINY = 1e-12
PAIRS_AT_ONCE = 1 << 14
"""Vectors that are multiplied at once: 16 MB for 256 dimensions."""


class Counts:
    """What was counted: words, pairs and triples."""

    def __init__(self, words: FloatArray, ngrams: NgramTable, marks_from: int) -> None:
        self.words, self.ngrams = words, ngrams
        self.marks_from = marks_from
        """The number of the first mark, that of unknown words; smaller ones are words."""
        self._probabilities: FloatArray = ((words + 1) / (words.sum(dtype=np.float64) + len(words))).astype(np.float32)

    def of_ngrams(self, *words: IndexArray) -> FloatArray:
        """Return the counts of pairs or triples; none has an unknown word in it."""
        return self.ngrams.counts(ngram_keys(*words))

    def _of_some(self, which: BoolArray, *words: IndexArray) -> FloatArray:
        """Return the counts of some of the n-grams, 0 for the others."""
        counts = np.zeros(len(which), dtype=np.float32)
        asked = which.nonzero()[0]
        counts[asked] = self.of_ngrams(*(word[asked] for word in words))
        return counts

    def _after(self, pairs: FloatArray, first: IndexArray, second: IndexArray) -> FloatArray:
        """Return the probability of a word after another one, given the counts of both together."""
        alone = self._probabilities[second]
        after = (pairs + PAIR_WEIGHT * alone) / (self.words[first] + PAIR_WEIGHT)
        return np.where(first == self.marks_from, alone, after).astype(np.float32)

    def fit(self, places: Places, which: IndexArray, words: IndexArray) -> FloatArray:
        """Return `FIT` of words at places, by the indices of these."""
        before, left, right, behind = (column[which] for column in places.around)
        pair_before, pair_behind = self.of_ngrams(*places.around[:2]), self.of_ngrams(*places.around[2:])
        of_left, of_right = self.of_ngrams(left, words), self.of_ngrams(words, right)
        triple_left = self._of_some(of_left > 0, before, left, words)
        triple_around = self._of_some((of_left > 0) & (of_right > 0), left, words, right)
        triple_right = self._of_some(of_right > 0, words, right, behind)
        alone, right_alone = self._probabilities[words], self._probabilities[right]
        after_left, right_after = self._after(of_left, left, words), self._after(of_right, words, right)
        behind_after = self._after(pair_behind[which], right, behind)

        ratios = (
            after_left / alone,
            right_after / right_alone,
            _after_two(triple_left, pair_before[which], after_left) / alone,
            _after_two(triple_around, of_left, right_after) / right_alone,
            _after_two(triple_right, of_right, behind_after) / behind_after,
        )
        counts = (of_left, of_right, triple_left, triple_around, triple_right)
        columns = (
            np.log(alone),
            np.log10(words + 10.0),
            *(np.log(np.maximum(ratio, TINY)) for ratio in ratios),
            *map(np.log1p, counts),
        )
        return np.stack(columns, axis=1).astype(np.float32)


def _after_two(triples: FloatArray, pairs: FloatArray, shorter: FloatArray) -> FloatArray:
    """Return the probability of a word after two others, given that after one of them."""
    after = (triples + TRIPLE_WEIGHT * shorter) / (np.maximum(pairs, triples) + TRIPLE_WEIGHT)
    return after.astype(np.float32)


class Places(NamedTuple):
    """Where words stand."""

    around: tuple[IndexArray, IndexArray, IndexArray, IndexArray]
    """The numbers of the two words or marks before each and of the two behind it."""
    own: IndexArray
    """The number of the word itself, -1 if it is not stored."""
    told: FloatArray
    """`PLACE`."""
    theme: FloatArray
    """The mean of the words around, as unit vectors; zeros without any."""
    theme_words: FloatArray
    """How many these are."""


class Pairs(NamedTuple):
    """Places and candidates, all of a place one after the other."""

    place: IndexArray
    row: IndexArray
    features: FloatArray


def features_of(counts: Counts, matrix: Matrix, places: Places, found: list[WordCandidates]) -> Pairs:
    """Return all pairs of a place and one of its candidates with `FEATURES`."""
    sizes = np.fromiter((len(each.rows) for each in found), np.int64, len(found))
    place = np.repeat(np.arange(len(found)), sizes)
    nothing = np.empty(0, dtype=np.int64)
    row = np.concatenate([nothing, *(each.rows for each in found)])
    spelling = np.concatenate([np.empty((0, len(SPELLING)), np.float32), *(each.spelling for each in found)])
    of_word = np.array([each.word for each in found], dtype=np.float32).reshape(len(found), len(OF_WORD))
    own = np.zeros((len(found), len(FIT)), dtype=np.float32)
    stored = (places.own >= 0).nonzero()[0]
    own[stored] = counts.fit(places, stored, places.own[stored])
    fit = counts.fit(places, place, row)
    fit -= own[place]
    theme = themes_of(matrix, places, place, row)
    columns = (fit, own[:, OWN][place], spelling, of_word[place], places.told[place], theme)
    return Pairs(place, row, np.concatenate(columns, axis=1))


def themes_of(matrix: Matrix, places: Places, place: IndexArray, row: IndexArray) -> FloatArray:
    """Return `THEME` of each pair."""
    different, which = np.unique(np.concatenate([row, places.own[places.own >= 0]]), return_inverse=True)
    vectors = rows_of_length(matrix.floats(different), 1.0)
    own = np.zeros(len(places.own), dtype=np.float32)
    stored = (places.own >= 0).nonzero()[0]
    own[stored] = (vectors[which[len(row) :]] * places.theme[stored]).sum(axis=1)
    told = np.empty((len(row), len(THEME)), dtype=np.float32)
    for first in range(0, len(row), PAIRS_AT_ONCE):
        part = slice(first, first + PAIRS_AT_ONCE)
        told[part, 0] = np.einsum("ij,ij->i", vectors[which[: len(row)][part]], places.theme[place[part]])
    told[:, 0] -= own[place]
    told[:, 1] = own[place]
    told[:, 2] = np.log1p(places.theme_words[place])
    return told
