"""Arithmetic over the pairs of each word. All pairs of a word stand together, and every word has at least one."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.retrieval.runs import run_lengths


def segment_sums(vectors: FloatArray, starts: IndexArray) -> FloatArray:
    """The sum of the vectors of each word.

    The first vectors of all words, then the second ones, and so on: `np.add.reduceat` takes several times longer.

    >>> segment_sums(np.array([[1.0], [2.0], [5.0]]), np.array([0, 2])).tolist()
    [[3.0], [5.0]]
    """
    counts = run_lengths(starts, len(vectors))
    sums = vectors[starts]
    for nth in range(1, int(counts.max(initial=1))):
        longer = (counts > nth).nonzero()[0]
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
