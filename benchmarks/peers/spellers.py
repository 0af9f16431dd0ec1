"""Spelling correctors: SymSpell, and the nearest spelling by rapidfuzz.

Of equally near words the more frequent wins; words come most frequent first, and that order is all that is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA
from symspellpy import SymSpell, Verbosity

from everyword.arrays import IndexArray
from peers.ranks import ranks_by_distance

DISTANCE = 2
QUERIES_AT_ONCE = 100


class Corrector:
    """SymSpell over a list of words, up to distance 2."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.symspell = SymSpell(max_dictionary_edit_distance=DISTANCE)
        for row, word in enumerate(words):
            self.symspell.create_dictionary_entry(word, len(words) - row)

    def best(self, word: str) -> str | None:
        """Return the nearest word, None if there is none within the distance."""
        found = self.symspell.lookup(word, Verbosity.TOP, max_edit_distance=DISTANCE)
        return found[0].term if found else None

    def ranked(self, word: str) -> list[str]:
        """Return all words within the distance but the word itself: nearest first, then most frequent first."""
        found = self.symspell.lookup(word, Verbosity.ALL, max_edit_distance=DISTANCE)
        return [suggestion.term for suggestion in found if suggestion.term != word]

    def write(self, path: Path) -> Path:
        """Save the dictionary as SymSpell reads it: word and count."""
        lines = (f"{word} {len(self.words) - row}\n" for row, word in enumerate(self.words))
        path.write_text("".join(lines), encoding="utf-8")
        return path


class NearestSpelling:
    """Every word compared with every query by optimal string alignment; always finds one."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def best(self, word: str) -> str:
        """Return the nearest word; `extractOne` keeps the first of equals."""
        return str(process.extractOne(word, self.words, scorer=OSA.distance)[0])

    def ranks(self, queries: Sequence[str], rights: Sequence[Sequence[str]]) -> IndexArray:
        """Return the rank of the best right word of each query, from 1; the query itself does not count."""
        found = [np.zeros(0, dtype=np.int64)]
        for start in range(0, len(queries), QUERIES_AT_ONCE):
            part = slice(start, start + QUERIES_AT_ONCE)
            distances = process.cdist(queries[part], self.words, scorer=OSA.distance, dtype=np.uint8)
            rows = [[self._row_of[word] for word in words] for words in rights[part]]
            own = [self._row_of.get(query, -1) for query in queries[part]]
            found.append(ranks_by_distance(distances, rows, own))
        return np.concatenate(found)
