"""Counts of very many keys, and of the pairs of words that occur together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus

SortedCounts = tuple[IndexArray, AnyArray]
"""Keys in order, each once, and their counts."""


class Counts:
    """Sums sorted counts; the memory is that of the different keys, a few times."""

    def __init__(self) -> None:
        self._runs: list[SortedCounts] = []

    def add(self, keys: IndexArray, counts: AnyArray) -> None:
        """Add sorted counts."""
        self._runs.append((keys, counts))
        # Runs of like size are merged, so that none is copied more than a few times.
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._runs[-2:] = [_merged(self._runs[-2:])]

    def total(self) -> SortedCounts:
        """Return all keys in order, and their sums."""
        return _merged(self._runs)


def _merged(runs: list[SortedCounts]) -> SortedCounts:
    if len(runs) == 1:
        return runs[0]
    keys, counts = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[starts], np.add.reduceat(counts, starts)


@dataclass(frozen=True)
class Pairs:
    """Words that occur together, each pair once with the smaller row first, and their weighted counts."""

    first: IndexArray
    second: IndexArray
    counts: FloatArray


def count_pairs(prepared: PreparedCorpus, window: int) -> Pairs:
    """Count all pairs of words within a window of a sentence; one at distance d counts 1 / d, as in GloVe.

    The memory is that of the different pairs and of one part of the corpus.
    """
    words = len(prepared.vocabulary.words)
    total = Counts()
    for part in prepared.parts():
        for found in _pairs_by_distance(part, window, words):
            total.add(*found)
    keys, counts = total.total()
    return Pairs(keys // words, keys % words, counts)


def _pairs_by_distance(part: Part, window: int, words: int) -> Iterator[tuple[IndexArray, FloatArray]]:
    rows = part.rows.astype(np.int64)
    sentence = np.repeat(np.arange(len(part)), part.words)
    for distance in range(1, window + 1):
        inside = sentence[distance:] == sentence[:-distance]
        one, other = rows[:-distance][inside], rows[distance:][inside]
        keys, counts = np.unique(np.minimum(one, other) * words + np.maximum(one, other), return_counts=True)
        yield keys, (counts / distance).astype(np.float32)
