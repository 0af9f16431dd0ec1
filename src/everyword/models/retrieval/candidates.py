"""Known words that an unknown word may be a misspelling or a relative of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from everyword.arrays import BoolArray, IndexArray
from everyword.models.retrieval.edit_index import EditIndex
from everyword.models.retrieval.runs import run_lengths, run_starts
from everyword.models.retrieval.sounds import NOT_FOUND, SoundCodes, SoundIndex, sound_codes
from everyword.models.retrieval.spellings import Letters, sorting_keys

FAR = 3
"""Stands for the distance of a candidate that is more than two edits away."""
REACH = 3
"""Neighbours in the dictionary on either side, forwards and backwards."""
SOUNDS_LIKE = 6
MOST = 16
"""How many candidates a word has at most."""

COST_OF_DISTANCE = np.array([0.0, 2.2, 4.4, 4.0])
COST_OF_RANK = 1.2
"""What an edit costs against a tenfold rarer word when the best `MOST` are picked; the gate weighs them again."""

_BUILDING = Lock()
"""One for all finders, so that a model can still be copied and pickled."""


@dataclass(frozen=True)
class Candidates:
    """Pairs of a word, by its index in the batch, and a known word; all pairs of a word are adjacent."""

    query: IndexArray
    row: IndexArray
    distance: IndexArray
    """Edits between the two, `FAR` if more than two."""

    def __len__(self) -> int:
        return len(self.query)


class AlphabeticalIndex:
    """Known words in alphabetical order; given from their end, in the order of words read backwards.

    Most relatives of a new word stand beside it in the dictionary: "deviationism" beside "deviation", and read
    backwards "undatable" beside "datable".
    """

    def __init__(self, letters: Letters) -> None:
        """`letters` are the rows of `Spellings` in an `Alphabet` of these words, as are those that are asked about."""
        self._width = letters.shape[1]
        self._keys = sorting_keys(letters, self._width)
        self._rows: IndexArray = np.argsort(self._keys, kind="stable")  # smaller numbers would be widened every time

    def beside(self, letters: Letters, reach: int) -> IndexArray:
        """Return the rows of the `reach` known words before and after the position of each word, (words, 2 · reach).

        At the ends of the alphabet the last word stands several times.
        """
        # What is cut off a longer word does not matter: it comes after all known words that it begins with.
        position = np.searchsorted(self._keys, sorting_keys(letters, self._width), sorter=self._rows)
        around = position[:, None] + np.arange(-reach, reach)
        rows: IndexArray = self._rows[np.minimum(np.maximum(around, 0), len(self._rows) - 1)]
        return rows


class _Indexes:
    """All indexes by which known words are found."""

    def __init__(self, words: Sequence[str]) -> None:
        self.near = EditIndex(words)
        self.forwards = AlphabeticalIndex(self.near.spellings.letters)
        self.backwards = AlphabeticalIndex(self.near.spellings.backwards)
        self.sounds = SoundIndex(words)


class CandidateFinder:
    """Known words, most frequent first, found by edits, by their position in the dictionary and by sound."""

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

    def find(self, words: Sequence[str], sounds: SoundCodes | None = None) -> Candidates:
        """Return the candidates of words, at least one and at most `MOST` each, the most promising first.

        `sounds` are the words' codes of `sound_codes`, if one has them already.
        """
        indexes = self._indexes
        spelt = indexes.near.spell(words)
        beside = [
            indexes.forwards.beside(spelt.letters, REACH),
            indexes.backwards.beside(spelt.backwards, REACH),
            indexes.sounds.like(sound_codes(words) if sounds is None else sounds, SOUNDS_LIKE),
        ]
        query, row, far = _each_once(indexes.near.perhaps(spelt), np.concatenate(beside, axis=1), len(self.words))
        distance = indexes.near.distances(spelt, query, row)
        kept = (far | (distance < FAR)).nonzero()[0]
        return best_candidates(query[kept], row[kept], distance[kept])


def _each_once(
    near: tuple[IndexArray, IndexArray], far: IndexArray, words: int
) -> tuple[IndexArray, IndexArray, BoolArray]:
    """Return all pairs by word and row, each once, and whether each is a candidate at any distance."""
    bits = words.bit_length()
    query, row = near
    anyway = ((np.arange(len(far))[:, None] << bits | far) << 1)[far != NOT_FOUND]
    # One number for all, so that one sort brings equal pairs together; small numbers are sorted twice as fast.
    pairs = np.concatenate([anyway, (query << bits | row) << 1 | 1])
    pairs = np.sort(pairs.astype(np.int32) if len(far).bit_length() + bits < 31 else pairs).astype(np.int64)
    first = run_starts(pairs >> 1)
    once = pairs[first]
    return once >> bits + 1, once >> 1 & (1 << bits) - 1, once & 1 == 0


def best_candidates(query: IndexArray, row: IndexArray, distance: IndexArray) -> Candidates:
    """Return the `MOST` candidates of each word by edits and frequency; queries must be in order."""
    cost = COST_OF_DISTANCE[distance] + COST_OF_RANK * np.log10(row + 10)
    order = np.lexsort((cost, query))
    starts = run_starts(query)
    nth = np.arange(len(query)) - np.repeat(starts, run_lengths(starts, len(query)))
    kept = order[nth < MOST]
    return Candidates(query[kept], row[kept], distance[kept])
