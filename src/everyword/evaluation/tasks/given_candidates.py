"""Neighbours among a given list of words, which is the same for every model, with the vectors that a model gives them.

Other tasks search among a model's own known words, so that a model that knows more words has a harder task.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import WORDS_AT_ONCE, EvaluatedModel
from everyword.evaluation.task import NoOverlapError
from everyword.files import read_lines

FILE = "candidates.txt"
"""The list beside a data set, one word per line."""
NEAREST = 10
NEVER = np.float32(-2)
"""Less than any cosine: a word that is not counted."""


def read_candidates(beside: Path) -> list[str]:
    """Read the list of candidates in the folder of a data set."""
    path = beside.with_name(FILE)
    words = [word for line in read_lines(path, "list of candidates") if (word := line.strip())]
    if len(words) <= NEAREST:
        raise InputError(f"{path} holds {len(words)} words; a search for the nearest {NEAREST} needs more of them.")
    return list(dict.fromkeys(words))


class GivenCandidates:
    """The candidates and their unit vectors; one without a vector is never near."""

    def __init__(self, words: Sequence[str], model: EvaluatedModel) -> None:
        self.words = words
        self.row = {word: row for row, word in enumerate(words)}
        starts = range(0, len(words), WORDS_AT_ONCE)
        self.units = np.concatenate([model.units(words[start : start + WORDS_AT_ONCE]) for start in starts])
        self.empty = ~self.units.any(axis=1)
        if self.empty.all():
            raise NoOverlapError(
                f"None of the {len(words):,} candidates has a vector in {model.name}; are they of another language?"
            )

    def cosines(self, units: FloatArray, left_out: Sequence[str]) -> FloatArray:
        """Return the cosine of each unit vector to each candidate, one of which may be left out in each row."""
        found: FloatArray = units @ self.units.T
        found[:, self.empty] = NEVER
        for place, word in enumerate(left_out):
            if word in self.row:
                found[place, self.row[word]] = NEVER
        return found

    def nearest(self, cosines: FloatArray) -> IndexArray:
        """Return the rows of the ten nearest candidates, best first."""
        top = np.argpartition(-cosines, NEAREST, axis=1)[:, :NEAREST]
        order = np.argsort(-np.take_along_axis(cosines, top, axis=1), axis=1, kind="stable")
        return np.take_along_axis(top, order, axis=1)
