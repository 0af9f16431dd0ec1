"""How often words stand together: numbers that stand for pairs, tallied as a corpus is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.systems.skipgram.baselines.tally import Tally
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus


@dataclass(frozen=True)
class Pairs:
    """Words that stand together, each pair once with the smaller row first, and how much they do."""

    first: IndexArray
    second: IndexArray
    counts: FloatArray


def count_pairs(prepared: PreparedCorpus, window: int) -> Pairs:
    """All pairs of words within a window of a sentence; one at distance d counts 1 / d, as in GloVe.

    Memory is that of the different pairs and of one part of the corpus.
    """
    words = len(prepared.vocabulary.words)
    tally = Tally()
    for part in prepared.parts():
        for found in _pairs_by_distance(part, window, words):
            tally.add(*found)
    keys, counts = tally.total()
    return Pairs(keys // words, keys % words, counts)


def _pairs_by_distance(part: Part, window: int, words: int) -> Iterator[tuple[IndexArray, FloatArray]]:
    rows = part.rows.astype(np.int64)
    sentence = np.repeat(np.arange(len(part)), part.words)
    for distance in range(1, window + 1):
        inside = sentence[distance:] == sentence[:-distance]
        one, other = rows[:-distance][inside], rows[distance:][inside]
        keys, counts = np.unique(np.minimum(one, other) * words + np.maximum(one, other), return_counts=True)
        yield keys, (counts / distance).astype(np.float32)
