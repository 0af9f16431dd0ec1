"""Arithmetic over the pairs of each word. All pairs of a word stand together, and every word has at least one."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray


def segment_starts(place: IndexArray) -> IndexArray:
    """Where the pairs of each word begin.

    >>> segment_starts(np.array([0, 0, 1, 2, 2])).tolist()
    [0, 2, 3]
    """
    return np.flatnonzero(np.diff(place, prepend=-1))


def segment_sums(vectors: FloatArray, starts: IndexArray) -> FloatArray:
    """The sum of the vectors of each word.

    The first vectors of all words, then the second ones, and so on: `np.add.reduceat` takes several times longer.

    >>> segment_sums(np.array([[1.0], [2.0], [5.0]]), np.array([0, 2])).tolist()
    [[3.0], [5.0]]
    """
    counts = np.diff(starts, append=len(vectors))
    sums = vectors[starts]
    for nth in range(1, int(counts.max(initial=1))):
        longer = np.flatnonzero(counts > nth)
        sums[longer] += vectors[starts[longer] + nth]
    return sums


def softmax_with_rival(
    scores: FloatArray, rivals: FloatArray, place: IndexArray, starts: IndexArray
) -> tuple[FloatArray, FloatArray]:
    """Softmax over the scores of each word's pairs and one rival a word: weights of the pairs and of the rival."""
    top = np.maximum(np.maximum.reduceat(scores, starts), rivals)
    pairs, rival = np.exp(scores - top[place]), np.exp(rivals - top)
    total = np.add.reduceat(pairs, starts) + rival
    return pairs / total[place], rival / total
