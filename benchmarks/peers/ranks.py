"""Ranks of right words, scores of ranks, and a look-up behind a corrector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray, IndexArray
from everyword.evaluation.tasks.misspelling import HITS


def ranks_by_distance(
    distances: npt.NDArray[Any], rights: Sequence[Sequence[int]], barred: Sequence[int]
) -> IndexArray:
    """Rank the best right column of each row by (distance, column), without the barred column (-1: none)."""
    columns = distances.shape[1]
    keys = distances.astype(np.int64) * columns + np.arange(columns)
    best = np.array([row[list(right)].min() for row, right in zip(keys, rights, strict=True)], dtype=np.int64)
    for index, column in enumerate(barred):
        if column >= 0 and column not in rights[index]:
            keys[index, column] = np.iinfo(np.int64).max
    return np.asarray(np.count_nonzero(keys <= best[:, None], axis=1))


def rank_in(ranked: Sequence[str], rights: Sequence[str]) -> int:
    """Return the rank of the first right word in a list, from 1; 0 if there is none."""
    return next((rank for rank, word in enumerate(ranked, start=1) if word in rights), 0)


def recovery(ranks: Sequence[int] | IndexArray) -> dict[str, float]:
    """Return mean reciprocal rank and hits × 100; rank 0 means not found."""
    rank = np.asarray(ranks, dtype=np.float64)
    found = rank > 0
    return {
        "mrr": 100 * float(np.where(found, 1 / np.maximum(rank, 1), 0).mean()),
        **{f"hit@{most}": 100 * float((found & (rank <= most)).mean()) for most in HITS},
    }


def corrected_vectors(
    rows: Mapping[str, int], matrix: FloatArray, correct: Callable[[str], str | None]
) -> Callable[[Sequence[str]], FloatArray]:
    """A look-up that corrects a word it does not have; zeros where there is no correction."""

    def vectors(words: Sequence[str]) -> FloatArray:
        out = np.zeros((len(words), matrix.shape[1]), dtype=np.float32)
        for index, word in enumerate(words):
            found = word if word in rows else correct(word)
            if found is not None:
                out[index] = matrix[rows[found]]
        return out

    return vectors
