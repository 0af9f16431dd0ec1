"""Known words that an unknown word may be a misspelling or a relative of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.alphabetical import AlphabeticalIndex
from everyword.models.retrieval.sounds import NOT_FOUND, SoundIndex
from everyword.models.retrieval.spelling_index import SpellingIndex
from everyword.models.retrieval.two_edits import TwoEdits

FAR = 3
"""Stands for the distance of a candidate that is more than two edits away."""
REACH = 3
"""Neighbours in the dictionary on either side, forwards and backwards."""
SOUNDS_LIKE = 6
MOST = 16
"""Candidates of a word."""

COST_OF_DISTANCE = np.array([0.0, 2.2, 4.4, 4.0])
COST_OF_RANK = 1.2
"""What an edit costs against a tenfold rarer word when the best `MOST` are picked; the gate weighs them again."""

_BUILDING = Lock()
"""One for all finders, so that a model can still be copied and pickled."""


@dataclass(frozen=True)
class Candidates:
    """Pairs of a word, by its place in the question, and a known word; all pairs of one word stand together."""

    place: IndexArray
    row: IndexArray
    distance: IndexArray
    """Edits between the two, `FAR` if more than two."""

    def __len__(self) -> int:
        return len(self.place)


class _Indexes:
    """All ways in which known words are found."""

    def __init__(self, words: Sequence[str]) -> None:
        self.one_edit = SpellingIndex(words, max_distance=1)
        self.two_edits = TwoEdits(words)
        self.forwards = AlphabeticalIndex(words)
        self.backwards = AlphabeticalIndex(words, backwards=True)
        self.sounds = SoundIndex(words)


class CandidateFinder:
    """Known words, most frequent first, found by edits, by their place in the dictionary and by sound."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._built: _Indexes | None = None

    @property
    def _indexes(self) -> _Indexes:
        # A model that is never asked about an unknown word needs none, and threads that ask at once need them once.
        with _BUILDING:
            if self._built is None:
                self._built = _Indexes(self.words)
            return self._built

    def find(self, words: Sequence[str]) -> Candidates:
        """The candidates of words, at least one and at most `MOST` each, the most promising first."""
        indexes = self._indexes
        near = [indexes.one_edit.within(1, words), *indexes.two_edits.within(words)]
        far = [
            indexes.forwards.beside(words, REACH),
            indexes.backwards.beside(words, REACH),
            indexes.sounds.like(words, SOUNDS_LIKE),
        ]
        return best_candidates(*_each_once(near, np.concatenate(far, axis=1), len(self.words)))


def _each_once(
    near: Sequence[tuple[IndexArray, IndexArray, IndexArray]], far: IndexArray, words: int
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """All pairs by word and row, each once with its smallest distance."""
    place = np.repeat(np.arange(len(far)), far.shape[1])
    row = far.ravel()
    found = row != NOT_FOUND
    pairs = [place[found] * words + row[found]] + [places * words + rows for places, rows, _ in near]
    apart = [np.full(found.sum(), FAR)] + [distances for _, _, distances in near]
    # One number for pair and distance, so that one sort brings equal pairs together, the nearest first.
    keyed = np.sort(np.concatenate(pairs) * (FAR + 1) + np.concatenate(apart))
    pair, distance = np.divmod(keyed, FAR + 1)
    first = np.flatnonzero(np.diff(pair, prepend=-1))
    return *np.divmod(pair[first], words), distance[first]


def best_candidates(place: IndexArray, row: IndexArray, distance: IndexArray) -> Candidates:
    """The `MOST` candidates of each word by edits and frequency; places must be in order."""
    cost = COST_OF_DISTANCE[distance] + COST_OF_RANK * np.log10(row + 10)
    order = np.lexsort((cost, place))
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    nth = np.arange(len(place)) - np.repeat(starts, np.diff(starts, append=len(place)))
    kept = order[nth < MOST]
    return Candidates(place[kept], row[kept], distance[kept])
