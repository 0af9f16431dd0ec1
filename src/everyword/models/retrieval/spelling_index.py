"""The known words nearest in spelling, for many words at once."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.models.retrieval.deletion_table import DeletionTable
from everyword.models.retrieval.deletions import deletion_hashes
from everyword.models.retrieval.edit_distance import edit_distances
from everyword.models.retrieval.runs import run_starts
from everyword.models.retrieval.spellings import Alphabet

NOT_FOUND = -1
BATCH = 2048

_BUILDING = Lock()
"""One for all indexes, so that a model can still be copied and pickled."""


class SpellingIndex:
    """Exact search by edit distance (swaps of neighbours count one) through shared deletions.

    Words come most frequent first, and of equally near words the first wins. A table for distance d is built when it is
    first needed: most misspellings are found at distance 1 and never look at the larger one.
    """

    def __init__(self, words: Sequence[str], max_distance: int = 2) -> None:
        if max_distance not in (0, 1, 2):
            raise InputError(f"max_distance must be 0, 1 or 2. Got {max_distance} instead.")
        self.words = words
        self.max_distance = max_distance
        self._alphabet = Alphabet(words)
        self._spellings = self._alphabet.spell(words)
        self._tables: dict[int, DeletionTable] = {}

    def nearest(self, words: Sequence[str]) -> tuple[IndexArray, IndexArray]:
        """For each word the row of the nearest known word and its distance; `NOT_FOUND` for both if none is near."""
        rows = np.full(len(words), NOT_FOUND, dtype=np.int64)
        distances = np.full(len(words), NOT_FOUND, dtype=np.int64)
        for first in range(0, len(words), BATCH):
            part = slice(first, first + BATCH)
            self._search(words[part], rows[part], distances[part])
        return rows, distances

    def _search(self, words: Sequence[str], rows: IndexArray, distances: IndexArray) -> None:
        """Fill in rows and distances, looking further only for words that were not found nearer by."""
        pending = np.arange(len(words))
        for distance in range(self.max_distance + 1):
            places, found, apart = self.within(distance, [words[place] for place in pending.tolist()])
            # By word, then distance, then frequency: the first of each word is its answer.
            order = np.lexsort((found, apart, places))
            answered, begins = np.unique(places[order], return_index=True)
            rows[pending[answered]] = found[order][begins]
            distances[pending[answered]] = apart[order][begins]
            pending = np.delete(pending, answered)

    def within(self, distance: int, words: Sequence[str]) -> tuple[IndexArray, IndexArray, IndexArray]:
        """All pairs up to a distance: (place of the word, row of the known word, distance), by place and row."""
        spelt = self._alphabet.spell(words)
        hashes, owners = deletion_hashes(spelt, distance)
        hashed, rows = self._table(distance).look_up(hashes, np.full(len(hashes), len(self.words)))
        pairs = np.sort(owners[hashed] * len(self.words) + rows)
        pairs = pairs[run_starts(pairs)]
        place, row = np.divmod(pairs, max(1, len(self.words)))
        # Sharing a shortened spelling is necessary, not sufficient, and hashes may collide.
        apart = edit_distances(spelt, place, self._spellings, row, most=max(1, distance))
        near = apart <= distance
        return place[near], row[near], apart[near]

    def _table(self, distance: int) -> DeletionTable:
        with _BUILDING:  # or several threads would build it at once, each with all the memory that needs
            if distance not in self._tables:
                self._tables[distance] = DeletionTable.of(self._spellings, np.full(len(self.words), distance))
            return self._tables[distance]
