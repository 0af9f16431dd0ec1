"""Known words within two edits, where two edits still mean something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.spelling_index import SpellingIndex

RANGES = ((0, 1_000, 1), (1_000, 8_000, 5), (8_000, 50_000, 7))
"""Words by frequency, from and to, and how many letters a word needs for two edits to be looked for among them.

With every letter less, two edits find several times more words by chance: of the 50,000 most frequent ones a word of
four letters has some thousand that nobody meant. So a short word is compared with the most frequent words only; what is
further away has to be within one edit, sound alike or stand beside it in the dictionary.
"""


class TwoEdits:
    """The most frequent known words, the more of them the longer the word that is asked about."""

    def __init__(self, words: Sequence[str]) -> None:
        self._ranges = [
            (begin, shortest, SpellingIndex(words[begin:end])) for begin, end, shortest in RANGES if begin < len(words)
        ]

    def within(self, words: Sequence[str]) -> Iterator[tuple[IndexArray, IndexArray, IndexArray]]:
        """For each range the pairs up to two edits: (place of the word, row of the known word, distance)."""
        for begin, shortest, index in self._ranges:
            asked = np.array([place for place, word in enumerate(words) if len(word) >= shortest], dtype=np.int64)
            place, row, distance = index.within(2, [words[place] for place in asked.tolist()])
            yield asked[place], row + begin, distance
