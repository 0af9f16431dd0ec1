"""Exact search for known words by edit distance, for many words at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.models.retrieval.deletions import DeletionTable, deletion_hashes, leave_out, ways_to_delete
from everyword.models.retrieval.edit_distance import MORE, edit_distances
from everyword.models.retrieval.runs import run_starts
from everyword.models.retrieval.spellings import SPARE, Alphabet, Spellings

NOT_FOUND = -1
BATCH = 2048
TWO_EDITS_AMONG = {1: 1_000, 5: 8_000, 7: 50_000}
"""How many letters a word needs for two edits to be looked for among how many of the most frequent words.

With every letter less, two edits find several times more words by chance: of the 50,000 most frequent ones a word of
four letters has some thousand that nobody meant. So a short word is compared with the most frequent words only; what is
further away has to be within one edit, sound alike or stand beside it in the dictionary.
"""
HEAD = 8
"""Letters at the beginning of a word that are compared as one number."""

Heads = NDArray[np.uint64]
_AMONG = np.array([max([0, *(n for letters, n in TWO_EDITS_AMONG.items() if letters <= k)]) for k in range(8)])

BY_FREQUENCY = 3
"""Instead of a distance: one edit, and two among the words of `TWO_EDITS_AMONG`."""

_BUILDING = Lock()
"""One for all indexes, so that a model can still be copied and pickled."""


class EditIndex:
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
        self.spellings = self._alphabet.spell(words)
        self._tables: dict[int, DeletionTable] = {}

    def spell(self, words: Sequence[str]) -> Spellings:
        """Return words in the alphabet of the known words, as `perhaps` and `distances` take them."""
        return self._alphabet.spell(words)

    def nearest(self, words: Sequence[str]) -> tuple[IndexArray, IndexArray]:
        """Return for each word the row and distance of the nearest known word, or `NOT_FOUND` for both."""
        rows = np.full(len(words), NOT_FOUND, dtype=np.int64)
        distances = np.full(len(words), NOT_FOUND, dtype=np.int64)
        for first in range(0, len(words), BATCH):
            part = slice(first, first + BATCH)
            self._search(words[part], rows[part], distances[part])
        return rows, distances

    def _search(self, words: Sequence[str], rows: IndexArray, distances: IndexArray) -> None:
        """Fill in rows and distances, searching further only for words that were not found nearer by."""
        pending = np.arange(len(words))
        for distance in range(self.max_distance + 1):
            queries, found, apart = self.within(distance, [words[query] for query in pending.tolist()])
            # By word, then distance, then frequency: the first of each word is its answer.
            order = np.lexsort((found, apart, queries))
            answered, begins = np.unique(queries[order], return_index=True)
            rows[pending[answered]] = found[order][begins]
            distances[pending[answered]] = apart[order][begins]
            pending = np.delete(pending, answered)

    def within(self, distance: int, words: Sequence[str]) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Return all pairs up to a distance: (index of the word, row of the known word, distance), by index and row."""
        spelt = self.spell(words)
        hashes, owners = deletion_hashes(spelt, distance)
        hashed, rows = self._table(distance).look_up(hashes, np.full(len(hashes), len(self.words)))
        pairs = np.sort(owners[hashed] * len(self.words) + rows)
        pairs = pairs[run_starts(pairs)]
        query, row = np.divmod(pairs, max(1, len(self.words)))
        # Sharing a shortened spelling is necessary, not sufficient, and hashes may collide.
        apart = edit_distances(spelt, query, self.spellings, row, most=max(1, distance))
        near = apart <= distance
        return query[near], row[near], apart[near]

    def _table(self, distance: int) -> DeletionTable:
        with _BUILDING:  # or several threads would build it at once, each with all the memory that needs
            if distance not in self._tables:
                deletions = np.full(len(self.words), distance)
                if distance == BY_FREQUENCY:
                    deletions = 1 + (np.arange(len(self.words)) < _among(self.spellings.lengths + 2))
                self._tables[distance] = DeletionTable.of(self.spellings, deletions)
            return self._tables[distance]

    def perhaps(self, words: Spellings) -> tuple[IndexArray, IndexArray]:
        """Return pairs of words and known words within the edits of `TWO_EDITS_AMONG`, some several times, and others.

        A pair is the index of a word and the row of a known word; `distances` then tells near ones from others.
        """
        short = words.lengths <= self.spellings.letters.shape[1] - SPARE + 2
        if not short.all():  # ways to leave out letters grow with the square of the length, and nothing is so long
            asked = short.nonzero()[0]
            query, row = self.perhaps(words.take(asked))
            return asked[query], row
        left_out = leave_out(words, 2)
        count = left_out.ways.count[left_out.way]
        among = np.where(count == 2, _among(words.lengths)[left_out.owner], len(self._heads))
        found, row = self._table(BY_FREQUENCY).look_up(left_out.hashes, among)
        query = left_out.owner[found]
        way = left_out.way[found]
        out = count[found]
        longer = self.spellings.lengths[row] - words.lengths[query]
        edits = self._edits_allowed(words, query, row)
        # Where every edit leaves a letter out of both words, it replaces that letter or swaps it with the next one:
        # all other letters stand at the same position. Most pairs that share a spelling by chance are found out so.
        strange = (self._heads[row] ^ _heads(words)[query]) & _elsewhere(left_out.ways.width)[way] != 0
        strange &= (longer == 0) & (out == edits)
        kept = ((out + np.maximum(longer, 0) <= edits) & ~strange).nonzero()[0]
        return query[kept], row[kept]

    @cached_property
    def _heads(self) -> Heads:
        return _heads(self.spellings)

    def distances(self, words: Spellings, query: IndexArray, row: IndexArray) -> IndexArray:
        """Return the edit distance of each pair; `MORE` beyond the edits of `TWO_EDITS_AMONG`."""
        apart = edit_distances(words, query, self.spellings, row)
        apart[apart > self._edits_allowed(words, query, row)] = MORE
        return apart

    @staticmethod
    def _edits_allowed(words: Spellings, query: IndexArray, row: IndexArray) -> IndexArray:
        return 1 + (row < _among(words.lengths)[query])


def _among(lengths: IndexArray) -> IndexArray:
    """Return how many of the most frequent words are searched for two edits."""
    among: IndexArray = _AMONG[np.minimum(lengths, len(_AMONG) - 1)]
    return among


def _heads(words: Spellings) -> Heads:
    heads = np.zeros((len(words), HEAD), dtype=np.uint8)
    # A letter beyond 255 loses its upper bits: equal letters stay equal, which is all that a first look needs.
    heads[:, : words.letters.shape[1]] = words.letters[:, :HEAD]
    return heads.view("<u8")[:, 0]


@lru_cache(maxsize=64)
def _elsewhere(width: int) -> Heads:
    """Return for each way to leave out letters all letters of a head except these and the next ones."""
    ways = ways_to_delete(width, 2)
    letters = np.zeros(max(width, HEAD) + 2, dtype=np.uint64)
    letters[:HEAD] = np.uint64(0xFF) << (8 * np.arange(HEAD, dtype=np.uint64))
    return ~(letters[ways.first] | letters[ways.first + 1] | letters[ways.second] | letters[ways.second + 1])
