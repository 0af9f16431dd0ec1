"""The gate: how much each candidate, and the word's own spelling, counts in the vector of an unknown word.

A candidate's score is a small network over how it compares with the word; the spelling's score is another one over the
best of each comparison, so that it rises where no candidate is convincing. One softmax weighs them all. Trained by
`everyword.systems.spelling.gate_network`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.models.blend.comparison import FEATURES, LETTER_PAIRS, Comparison
from everyword.models.retrieval.candidates import MOST, Candidates
from everyword.models.retrieval.runs import run_lengths, run_starts, softmax_with_extra
from everyword.models.saved.layout import under

LETTER_TABLES = ("letters.begin", "letters.end", "letters.own")
"""One for each column of `Comparison.letter_pairs`, already multiplied by the hidden layer's weights."""

SIGNS = ("agreement", "greatest share", "share of the form", "concentration", "form agrees")
"""What tells a sure blend from a guess: columns of `signs_of_certainty`."""


@dataclass(frozen=True)
class Weights:
    """Shares that sum to one for each word."""

    candidates: FloatArray
    """One for each pair."""
    form: FloatArray
    """One for each word: the share of the vector that comes from its own spelling."""


class Confidence:
    """A small network from the signs to the expected cosine, fitted by `everyword.systems.spelling.gate_network`."""

    def __init__(self, tables: Mapping[str, FloatArray], most: float = 1.0) -> None:
        self.tables = dict(tables)
        self.most = most

    def __call__(self, signs: FloatArray) -> FloatArray:
        """Return the expected cosine of each word, between 0 and the most there is."""
        tables = self.tables
        hidden = np.maximum(signs @ tables["signs"] + tables["bias"], 0)
        expected: FloatArray = np.clip(hidden @ tables["score"] + tables["score_bias"], 0, self.most)
        return expected


class Gate:
    """The trained gate on arrays, and how sure its blends are."""

    NAME = "gate.v1"
    LEAST_SHARE, LEAST_OF_FORM = 0.01, 0.0
    """Candidates with a smaller share are left out: most of them have next to none, and every vector has to be fetched.
    A form always counts."""

    def __init__(self, tables: Mapping[str, FloatArray]) -> None:
        self.tables = dict(tables)
        self.confidence = Confidence(under("confidence.", tables))

    def described(self) -> dict[str, str | int]:
        """Return what is saved of the gate besides its tables."""
        return {"name": self.NAME}

    def weigh(self, comparison: Comparison, candidates: Candidates) -> Weights:
        """Return the shares of all candidates of words, each of which has at least one."""
        starts = run_starts(candidates.query)
        scores = self._candidate_scores(comparison)
        form_scores = self._form_scores(best_of_each(comparison, candidates))
        return Weights(*softmax_with_extra(scores, form_scores, candidates.query, starts))

    def _candidate_scores(self, comparison: Comparison) -> FloatArray:
        tables = self.tables
        hidden = comparison.features @ tables["features"] + tables["bias"]
        for column, name in enumerate(LETTER_TABLES):
            hidden += tables[name][comparison.letter_pairs[:, column]]
        scores: FloatArray = np.maximum(hidden, 0) @ tables["score"]
        return scores

    def _form_scores(self, best: FloatArray) -> FloatArray:
        tables = self.tables
        hidden = np.maximum(best @ tables["form.features"] + tables["form.bias"], 0)
        scores: FloatArray = hidden @ tables["form.score"] + tables["form.score_bias"]
        return scores


def best_of_each(comparison: Comparison, candidates: Candidates) -> FloatArray:
    """Return for each word the greatest value of every feature among its candidates, and the number of candidates."""
    starts = run_starts(candidates.query)
    counts = run_lengths(starts, len(candidates)) / MOST
    best = np.maximum.reduceat(comparison.features, starts, axis=0)
    return np.concatenate([best, counts[:, None].astype(np.float32)], axis=1)


BEST_FEATURES = len(FEATURES) + 1
"""Columns of `best_of_each`."""


def misfits(tables: Mapping[str, FloatArray]) -> list[str]:
    """Return the names of a gate's tables that are missing or of the wrong size."""
    sizes = {name: tables[name].size if name in tables else 0 for name in ("bias", "form.bias", "confidence.bias")}
    hidden, form_hidden, confidence_hidden = sizes.values()
    shapes = {
        **{name: (LETTER_PAIRS, hidden) for name in LETTER_TABLES},
        "features": (len(FEATURES), hidden),
        "bias": (hidden,),
        "score": (hidden,),
        "form.features": (BEST_FEATURES, form_hidden),
        "form.bias": (form_hidden,),
        "form.score": (form_hidden,),
        "form.score_bias": (1,),
        "confidence.signs": (len(SIGNS), confidence_hidden),
        "confidence.bias": (confidence_hidden,),
        "confidence.score": (confidence_hidden,),
        "confidence.score_bias": (1,),
    }
    return [name for name, shape in shapes.items() if name not in tables or not is_table(tables[name], shape)]


def is_table(table: AnyArray, shape: tuple[int, ...]) -> bool:
    """Return whether a table has a shape, and finite numbers."""
    return table.shape == shape and table.dtype == np.float32 and bool(np.isfinite(table).all())
