"""Induce a dictionary: words of two spaces that are nearest to each other by CSLS."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.space.alignment.retrieval import NEIGHBOURS, neighbourhoods, score_blocks

Directions = Literal["mutual", "union"]
"""Pairs in which each word is the other's nearest, or the nearest of every word on both sides."""
LOWEST = np.float32(-np.inf)


class Matches(NamedTuple):
    """The best word of the other side for each word of both sides, and its score by CSLS."""

    of_source: IndexArray
    source_scores: FloatArray
    of_target: IndexArray
    target_scores: FloatArray

    @property
    def mean_score(self) -> float:
        """The mean score over both sides: what self-learning wants to raise."""
        return float(self.source_scores.mean(dtype=np.float64) + self.target_scores.mean(dtype=np.float64)) / 2

    @property
    def mutual(self) -> IndexArray:
        """The source words whose best word has them as its best."""
        rows: IndexArray = np.flatnonzero(self.of_target[self.of_source] == np.arange(len(self.of_source)))
        return rows

    def pairs(self, directions: Directions) -> tuple[IndexArray, IndexArray]:
        """Return the rows of both sides that belong together."""
        if directions == "mutual":
            return self.mutual, self.of_source[self.mutual]
        forth, back = np.arange(len(self.of_source)), np.arange(len(self.of_target))
        return np.concatenate([forth, self.of_target]), np.concatenate([self.of_source, back])


def match(
    source: FloatArray,
    target: FloatArray,
    *,
    neighbours: int = NEIGHBOURS,
    keep: float = 1.0,
    draw: np.random.Generator | None = None,
) -> Matches:
    """Find the best match of every word by CSLS.

    Args:
        source: Unit vectors of the words of one side in the common space.
        target: Those of the other.
        neighbours: The neighbourhood of CSLS.
        keep: The share of candidates that each word may choose from; fewer let it leave a bad solution.
        draw: What chooses them, where `keep` is below 1.
    """
    of_source, of_target = neighbourhoods(source, target, neighbours)
    best_target, source_scores = np.empty(len(source), dtype=np.int64), np.empty(len(source), dtype=np.float32)
    best_source, target_scores = np.zeros(len(target), dtype=np.int64), np.full(len(target), LOWEST)
    for part, halves in score_blocks(source, target, of_target / np.float32(2)):
        scores = np.multiply(halves, np.float32(2), out=halves)
        np.subtract(scores, of_source[part][:, None], out=scores)
        if keep < 1 and draw is not None:
            scores[draw.random(scores.shape, dtype=np.float32) >= keep] = LOWEST
        best_target[part] = chosen = scores.argmax(axis=1)
        source_scores[part] = scores[np.arange(len(chosen)), chosen]
        highest = scores.max(axis=0)
        better = np.flatnonzero(highest > target_scores)
        best_source[better] = part.start + scores[:, better].argmax(axis=0)
        target_scores[better] = highest[better]
    for found in (source_scores, target_scores):  # a word from which all candidates were withheld
        found[~np.isfinite(found)] = 0
    return Matches(best_target, source_scores, best_source, target_scores)
