"""How often words stand together: sorted numbers that stand for pairs, merged as a corpus is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.skipgram.parts import Part
from everyword.skipgram.prepared import Prepared


@dataclass(frozen=True)
class Pairs:
    """Words that stand together, each pair once with the smaller row first, and how much they do."""

    first: IndexArray
    second: IndexArray
    counts: FloatArray


def count_pairs(prepared: Prepared, window: int) -> Pairs:
    """All pairs of words within a window of a sentence; one at distance d counts 1 / d, as in GloVe.

    Memory is that of the different pairs and of one part of the corpus.
    """
    words = len(prepared.vocabulary.words)
    runs: list[tuple[IndexArray, FloatArray]] = []
    for part in prepared.parts():
        for found in _pairs_by_distance(part, window, words):
            runs.append(found)
            # Runs of like size are merged, so that none is copied more than a few times.
            while len(runs) > 1 and len(runs[-2][0]) < 2 * len(runs[-1][0]):
                runs[-2:] = [_merged(runs[-2:])]
    keys, counts = _merged(runs)
    return Pairs(keys // words, keys % words, counts)


def _pairs_by_distance(part: Part, window: int, words: int) -> Iterator[tuple[IndexArray, FloatArray]]:
    rows = part.rows.astype(np.int64)
    sentence = np.repeat(np.arange(len(part)), part.words)
    for distance in range(1, window + 1):
        inside = sentence[distance:] == sentence[:-distance]
        one, other = rows[:-distance][inside], rows[distance:][inside]
        keys, counts = np.unique(np.minimum(one, other) * words + np.maximum(one, other), return_counts=True)
        yield keys, (counts / distance).astype(np.float32)


def _merged(runs: list[tuple[IndexArray, FloatArray]]) -> tuple[IndexArray, FloatArray]:
    if len(runs) == 1:
        return runs[0]
    keys, counts = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[starts], np.add.reduceat(counts, starts).astype(np.float32)
