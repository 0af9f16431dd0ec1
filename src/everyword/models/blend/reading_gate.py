"""The second gate: which known word an unknown one is a misspelling or a relative of, or whether it is a new word.

A candidate's score is a small network over how it aligns with the word. The score of the word's own spelling, which
stands for a new word, is another one over how the best candidate aligns. One softmax weighs them all. Trained by
`everyword.systems.spelling.reading_network`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.blend.alignment import FEATURES, INPUTS, LETTER_PAIRS, LETTER_TABLES, Alignment
from everyword.models.blend.gate import SIGNS, Confidence, Weights, is_table
from everyword.models.retrieval.letter_rows import LETTERS
from everyword.models.retrieval.similar_words import MOST, Pairs
from everyword.models.retrieval.spelt_words import SpeltWords
from everyword.models.saved.layout import under

NO_CANDIDATE = np.float32(-1e9)
"""The score of a place without a candidate."""
LOWEST = np.float32(-20)
"""Scores of the best candidates below this one are all the same to the form's score."""
SCORES_TOLD = 2
"""How many of the best scores the form's score depends on."""
OF_THE_WORD = ("number of candidates", "likeliness of its letters", "likeliness of the strangest", "length")
"""What is told of the word itself."""
BEST_FEATURES = len(FEATURES) + SCORES_TOLD + len(OF_THE_WORD)
"""Features of the best candidate, the best scores, and what is told of the word."""
READING_SIGNS = (*SIGNS, "second share", *FEATURES, *(f"score {nth}" for nth in range(SCORES_TOLD)), *OF_THE_WORD)
"""What tells a sure reading from a guess: the signs of every blend, the second share, and how the best aligns."""
TRIGRAMS = LETTERS**3
REACH = 120_000
"""How many of the most frequent words are candidates."""


class ReadingGate:
    """The trained gate on arrays, and how sure its blends are."""

    NAME = "gate.v2"

    def __init__(self, tables: Mapping[str, FloatArray], reach: int = REACH) -> None:
        self.tables = dict(tables)
        self.reach = reach
        self.confidence = Confidence(under("confidence.", tables))

    def described(self) -> dict[str, str | int]:
        """Return what is saved of the gate besides its tables."""
        return {"name": self.NAME, "reach": self.reach}

    def weigh(self, alignment: Alignment, pairs: Pairs, words: SpeltWords) -> tuple[Weights, FloatArray]:
        """Return the shares of all candidates and of the form, and what the form's share was made of."""
        scores: FloatArray = np.full((len(words), MOST), NO_CANDIDATE, dtype=np.float32)
        scores[pairs.query, pairs.nth] = self._candidate_scores(alignment)
        best = best_of_each(alignment, pairs, scores)
        best[:, 1 - len(OF_THE_WORD) :] = likeliness(words, self.tables["trigrams"])
        together = np.concatenate([scores, self._form_scores(best)[:, None]], axis=1)
        together -= together.max(axis=1, keepdims=True)
        np.exp(together, out=together)
        together /= together.sum(axis=1, keepdims=True)
        return Weights(together[pairs.query, pairs.nth], together[:, -1]), best

    def _candidate_scores(self, alignment: Alignment) -> FloatArray:
        tables = self.tables
        hidden: FloatArray = alignment.features.T @ tables["features"]
        hidden += tables["bias"]
        for which, name in zip(alignment.letter_pairs, LETTER_TABLES, strict=True):
            hidden += tables[name].take(which, axis=0)
        scores: FloatArray = np.maximum(hidden, 0, out=hidden) @ tables["score"]
        return scores

    def _form_scores(self, best: FloatArray) -> FloatArray:
        tables = self.tables
        hidden: FloatArray = np.maximum(best @ tables["form.features"] + tables["form.bias"], 0)
        scores: FloatArray = hidden @ tables["form.score"] + tables["form.score_bias"]
        return scores


def best_of_each(alignment: Alignment, pairs: Pairs, scores: FloatArray) -> FloatArray:
    """Return for each word the features of its best candidate, the best scores and the number of candidates."""
    best = np.zeros((len(scores), BEST_FEATURES), dtype=np.float32)
    counts = np.bincount(pairs.query, minlength=len(scores))
    found = counts.nonzero()[0]
    top = scores.argmax(axis=1)
    place = (np.cumsum(counts) - counts)[found] + top[found]
    best[found, : len(FEATURES)] = alignment.features[: len(FEATURES)].T[place]
    highest = np.sort(scores, axis=1)[:, : -SCORES_TOLD - 1 : -1]
    best[:, len(FEATURES) : -len(OF_THE_WORD)] = np.maximum(highest, LOWEST) / 8
    best[:, -len(OF_THE_WORD)] = counts / MOST
    return best


def likeliness(words: SpeltWords, trigrams: FloatArray) -> FloatArray:
    """Return how likely the letters of words are, on the average and at the strangest place, and how many there are.

    `trigrams` holds the logarithm of the probability of a letter after two others; none is before the first letter
    and after the last.
    """
    width = max(1, int(words.lengths.max(initial=1)))
    letters = np.zeros((len(words), width + 2), dtype=np.int64)
    letters[:, 1:-1] = words.letters[:, :width]
    place = (letters[:, :-2] * LETTERS + letters[:, 1:-1]) * LETTERS + letters[:, 2:]
    logarithms = trigrams.take(place)
    logarithms *= letters[:, 1:-1] != 0
    told = np.empty((len(words), 3), dtype=np.float32)
    told[:, 0] = logarithms.sum(axis=1) / np.maximum(words.lengths, 1)
    told[:, 1] = logarithms.min(axis=1, initial=0) / 4
    told[:, 2] = words.lengths / 10
    return told


def misfits(tables: Mapping[str, FloatArray]) -> list[str]:
    """Return the names of a gate's tables that are missing or of the wrong size."""
    sizes = {name: tables[name].size if name in tables else 0 for name in ("bias", "form.bias", "confidence.bias")}
    hidden, form_hidden, confidence_hidden = sizes.values()
    shapes = {
        **{name: (LETTER_PAIRS, hidden) for name in LETTER_TABLES},
        "features": (INPUTS, hidden),
        "bias": (hidden,),
        "score": (hidden,),
        "form.features": (BEST_FEATURES, form_hidden),
        "form.bias": (form_hidden,),
        "form.score": (form_hidden,),
        "form.score_bias": (1,),
        "trigrams": (TRIGRAMS,),
        "confidence.signs": (len(READING_SIGNS), confidence_hidden),
        "confidence.bias": (confidence_hidden,),
        "confidence.score": (confidence_hidden,),
        "confidence.score_bias": (1,),
    }
    return [name for name, shape in shapes.items() if name not in tables or not is_table(tables[name], shape)]
