"""Correctors of spelling: SymSpell, and the nearest spelling by rapidfuzz.

Of equally near words the more frequent wins. Words come most frequent first, and their order stands in for their frequency.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA
from symspellpy import SymSpell, Verbosity

from everyword.arrays import FloatArray, IndexArray

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
        """The nearest word, None if there is none within the distance."""
        found = self.symspell.lookup(word, Verbosity.TOP, max_edit_distance=DISTANCE)
        return found[0].term if found else None

    def ranked(self, word: str) -> list[str]:
        """All words within the distance but the word itself: nearest first, then most frequent first."""
        found = self.symspell.lookup(word, Verbosity.ALL, max_edit_distance=DISTANCE)
        return [suggestion.term for suggestion in found if suggestion.term != word]

    def write(self, path: Path) -> Path:
        """The dictionary as SymSpell reads it: word and count."""
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
        """The nearest word; `extractOne` keeps the first of equals."""
        return str(process.extractOne(word, self.words, scorer=OSA.distance)[0])

    def ranks(self, queries: Sequence[str], rights: Sequence[Sequence[str]]) -> IndexArray:
        """The rank of the best right word of each query, from 1; the query itself does not count."""
        found = [np.zeros(0, dtype=np.int64)]
        for start in range(0, len(queries), QUERIES_AT_ONCE):
            part = slice(start, start + QUERIES_AT_ONCE)
            distances = process.cdist(queries[part], self.words, scorer=OSA.distance, dtype=np.uint8)
            rows = [[self._row_of[word] for word in words] for words in rights[part]]
            own = [self._row_of.get(query, -1) for query in queries[part]]
            found.append(ranks_by_distance(distances, rows, own))
        return np.concatenate(found)


def ranks_by_distance(
    distances: npt.NDArray[Any], rights: Sequence[Sequence[int]], barred: Sequence[int]
) -> IndexArray:
    """The rank of the best right column of each row by (distance, column), without the barred column (-1: none)."""
    columns = distances.shape[1]
    keys = distances.astype(np.int64) * columns + np.arange(columns)
    best = np.array([row[list(right)].min() for row, right in zip(keys, rights, strict=True)], dtype=np.int64)
    for place, column in enumerate(barred):
        if column >= 0 and column not in rights[place]:
            keys[place, column] = np.iinfo(np.int64).max
    return np.asarray(np.count_nonzero(keys <= best[:, None], axis=1))


def place_in(ranked: Sequence[str], rights: Sequence[str]) -> int:
    """The place of the first right word in a list, from 1; 0 if none is there."""
    return next((place for place, word in enumerate(ranked, start=1) if word in rights), 0)


def recovery(ranks: Sequence[int] | IndexArray) -> dict[str, float]:
    """Mean reciprocal rank and hits × 100; rank 0 means not found."""
    rank = np.asarray(ranks, dtype=np.float64)
    found = rank > 0
    return {
        "mrr": 100 * float(np.where(found, 1 / np.maximum(rank, 1), 0).mean()),
        "hit@1": 100 * float((found & (rank <= 1)).mean()),
        "hit@10": 100 * float((found & (rank <= 10)).mean()),
    }


def corrected_vectors(
    rows: dict[str, int], matrix: FloatArray, correct: Callable[[str], str | None]
) -> Callable[[Sequence[str]], FloatArray]:
    """A look-up that corrects a word it does not have; zeros where there is no correction."""

    def vectors(words: Sequence[str]) -> FloatArray:
        out = np.zeros((len(words), matrix.shape[1]), dtype=np.float32)
        for place, word in enumerate(words):
            found = word if word in rows else correct(word)
            if found is not None:
                out[place] = matrix[rows[found]]
        return out

    return vectors
