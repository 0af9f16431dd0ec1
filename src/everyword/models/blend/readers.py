"""Readers: known words that an unknown one may be, and their shares, by the version of the gate that weighs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from everyword import kernel
from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.models.blend.alignment import LETTER_TABLES, WordShapes, align, rarity
from everyword.models.blend.comparison import LetterFeatures, compare
from everyword.models.blend.gate import Gate, Weights
from everyword.models.blend.reading_gate import BEST_FEATURES, ReadingGate
from everyword.models.known import WORDS, KnownWords
from everyword.models.retrieval.candidates import CandidateFinder, Candidates
from everyword.models.retrieval.one_word import spell
from everyword.models.retrieval.similar_words import Pairs, SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords

AnyGate = Gate | ReadingGate


class Found(NamedTuple):
    """Pairs of a word and a known word, as the compiled kernel finds them; all pairs of a word are adjacent."""

    query: IndexArray
    row: IndexArray


@dataclass(frozen=True)
class Reading:
    """Candidates of words and how much each counts."""

    candidates: Candidates | Pairs | Found
    weights: Weights
    best: FloatArray | None = None
    """More that tells a sure reading from a guess, a row for each word, if the gate knows it."""


class Reader(Protocol):
    """Finds and weighs candidates."""

    def read(self, words: Sequence[str]) -> Reading:
        """Return the candidates of normalised words, and their shares."""


class EditReader:
    """Candidates by edits, place in the dictionary and Soundex, weighed by the first gate."""

    def __init__(self, words: Sequence[str], gate: Gate) -> None:
        self.finder, self.gate = CandidateFinder(words), gate

    @cached_property
    def _letters(self) -> LetterFeatures:
        return LetterFeatures.of(self.finder.words)

    def read(self, words: Sequence[str]) -> Reading:
        """Return the candidates of normalised words, at least one each, and their shares."""
        letters = LetterFeatures.of(words)
        candidates = self.finder.find(words, letters.sounds)
        return Reading(candidates, self.gate.weigh(compare(letters, self._letters, candidates), candidates))


class KeyReader:
    """Candidates by shared keys of letters and sounds, among the most frequent words, weighed by the second gate."""

    def __init__(self, words: Sequence[str], gate: ReadingGate) -> None:
        self.finder, self.gate = SimilarWords(words[: gate.reach]), gate

    @cached_property
    def _shapes(self) -> WordShapes:
        return WordShapes(self.finder.index.spelt)

    @cached_property
    def _arrays(self) -> tuple[AnyArray, ...] | None:
        """Return what the compiled kernel reads and weighs by; None if there are no known words or too large a gate."""
        tables = self.gate.tables
        if not len(self.finder.words) or max(tables["bias"].size, tables["form.bias"].size) > kernel.MOST_HIDDEN:
            return None
        names = ("features", "bias", "score", *LETTER_TABLES)
        form_names = ("form.features", "form.bias", "form.score", "form.score_bias", "trigrams")
        # Of the two scores, all weights of the first one come first.
        tables = tables | {name: tables[name].T for name in ("score", "form.score")}
        gate = [np.ascontiguousarray(tables[name]) for name in (*names, *form_names)]
        return *self.finder.for_kernel(rarity(len(self.finder.words))), *gate

    def read(self, words: Sequence[str]) -> Reading:
        """Return the candidates of normalised words, if any, and their shares."""
        if kernel.compiled and self._arrays is not None:
            query, row, share, form, best = kernel.read_words(words, self._arrays, self.finder.kernel_settings)
            return Reading(Found(query, row), Weights(share, form), best.reshape(len(words), BEST_FEATURES + 1))
        if len(words) == 1:  # a word on its own should not pay for the bookkeeping of many
            word = spell(words[0])
            shapes, pairs = WordShapes.of_one(word), self.finder.find_one(word)
        else:
            shapes = WordShapes(SpeltWords.of(words))
            pairs = self.finder.find(shapes.words)
        weights, best = self.gate.weigh(align(shapes, self._shapes, pairs), pairs, shapes.words)
        return Reading(pairs, weights, best)


def reader_for(gate: AnyGate, known: KnownWords) -> Reader:
    """Return the reader of a gate; the second one looks at the section of single words only."""
    if isinstance(gate, ReadingGate):
        return KeyReader(known.words[: known.sections.get(WORDS, range(len(known))).stop], gate)
    return EditReader(known.words, gate)
