"""Known words within one edit, and within two where two edits still mean something."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.deletion_table import DeletionTable
from everyword.models.retrieval.deletions import leave_out, ways_to_delete
from everyword.models.retrieval.edit_distance import MORE, edit_distances
from everyword.models.retrieval.spellings import SPARE, Alphabet, Spellings

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


class NearWords:
    """Exact search by edit distance for both at once: every word is spelt, looked up and compared once."""

    def __init__(self, words: Sequence[str]) -> None:
        self._alphabet = Alphabet(words)
        spelt = self._alphabet.spell(words)
        self.spellings = spelt
        self._table = DeletionTable.of(spelt, 1 + (np.arange(len(words)) < _among(spelt.lengths + 2)))
        self._heads = _heads(spelt)

    def spell(self, words: Sequence[str]) -> Spellings:
        """Words in the alphabet of the known words, as the other methods take them."""
        return self._alphabet.spell(words)

    def perhaps(self, words: Spellings) -> tuple[IndexArray, IndexArray]:
        """Pairs of the place of a word and the row of a known word: all near ones, some several times, and others."""
        short = words.lengths <= self.spellings.letters.shape[1] - SPARE + 2
        if not short.all():  # ways to leave out letters grow with the square of the length, and nothing is so long
            asked = short.nonzero()[0]
            place, row = self.perhaps(words.take(asked))
            return asked[place], row
        left_out = leave_out(words, 2)
        count = left_out.ways.count[left_out.way]
        among = np.where(count == 2, _among(words.lengths)[left_out.owner], len(self._heads))
        found, row = self._table.look_up(left_out.hashes, among)
        place = left_out.owner[found]
        way = left_out.way[found]
        out = count[found]
        longer = self.spellings.lengths[row] - words.lengths[place]
        edits = self._edits_allowed(words, place, row)
        # Where every edit leaves a letter out of both words, it replaces that letter or swaps it with the next one:
        # all other letters stand at the same place. Most pairs that share a spelling by chance are found out so.
        strange = (self._heads[row] ^ _heads(words)[place]) & _elsewhere(left_out.ways.width)[way] != 0
        strange &= (longer == 0) & (out == edits)
        kept = ((out + np.maximum(longer, 0) <= edits) & ~strange).nonzero()[0]
        return place[kept], row[kept]

    def distances(self, words: Spellings, place: IndexArray, row: IndexArray) -> IndexArray:
        """The edit distance of each pair; `MORE` where there are more edits than are looked for."""
        apart = edit_distances(words, place, self.spellings, row)
        apart[apart > self._edits_allowed(words, place, row)] = MORE
        return apart

    @staticmethod
    def _edits_allowed(words: Spellings, place: IndexArray, row: IndexArray) -> IndexArray:
        return 1 + (row < _among(words.lengths)[place])


def _among(lengths: IndexArray) -> IndexArray:
    """How many words are looked at for two edits."""
    among: IndexArray = _AMONG[np.minimum(lengths, len(_AMONG) - 1)]
    return among


def _heads(words: Spellings) -> Heads:
    heads = np.zeros((len(words), HEAD), dtype=np.uint8)
    # A letter beyond 255 loses its upper bits: equal letters stay equal, which is all that a first look needs.
    heads[:, : words.letters.shape[1]] = words.letters[:, :HEAD]
    return heads.view("<u8")[:, 0]


@lru_cache(maxsize=64)
def _elsewhere(width: int) -> Heads:
    """For each way to leave out letters all letters of a head but these and the next ones."""
    ways = ways_to_delete(width, 2)
    letters = np.zeros(max(width, HEAD) + 2, dtype=np.uint64)
    letters[:HEAD] = np.uint64(0xFF) << (8 * np.arange(HEAD, dtype=np.uint64))
    return ~(letters[ways.first] | letters[ways.first + 1] | letters[ways.second] | letters[ways.second + 1])
