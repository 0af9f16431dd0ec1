"""Self-learning: map, induce a larger dictionary in the common space, and map again until nothing improves.

Artetxe, Labaka and Agirre, "A Robust Self-Learning Method for Fully Unsupervised Cross-Lingual Mappings of Word
Embeddings" (ACL 2018); with mutual neighbours as in Vulić et al. (EMNLP 2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.config import AtLeast, Count, Fraction, NonNegative, Range
from everyword.space.alignment.base import Products
from everyword.space.alignment.induction import Directions, match
from everyword.space.alignment.pairs import Pairs
from everyword.space.alignment.retrieval import NEIGHBOURS
from everyword.space.moments import EMPTY, single
from everyword.space.pipeline import Reporter, no_report
from everyword.vectors.neighbours import unit_rows


@dataclass(frozen=True)
class SelfLearning:
    """How dictionaries are induced, and when to stop."""

    words: Count = 10_000
    """The most frequent words of each side, which may be paired."""
    directions: Directions = "mutual"
    reweight: Fraction = 0.5
    """The power of the singular values by which directions are scaled in each round; 0 for plain rotations."""
    neighbours: Count = NEIGHBOURS
    """The neighbourhood of CSLS."""
    keep: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """The share of candidates that a word may choose from at first; it doubles when nothing improves, up to 1."""
    patience: Annotated[int, AtLeast(0)] = 0
    """Rounds without improvement before the share doubles or, at 1, learning stops."""
    threshold: NonNegative = 1e-6
    """The least improvement of the mean score."""
    rounds: Count = 200
    """The most rounds."""
    keep_given: bool = True
    """Whether pairs that were given stay in every dictionary."""
    seed: Annotated[int, AtLeast(0)] = 0


STOCHASTIC = SelfLearning(keep=0.1, patience=10, directions="union", keep_given=False)
"""For a start that is mostly wrong: chance and both directions, and no pair is trusted."""


class Learnt(NamedTuple):
    """The last dictionary, and figures for the user."""

    source: IndexArray
    target: IndexArray
    facts: dict[str, float]


def learn_pairs(
    source: FloatArray, target: FloatArray, pairs: Pairs, how: SelfLearning, report: Reporter = no_report
) -> Learnt:
    """Enlarge a dictionary.

    Args:
        source: The prepared vectors of one side, most frequent words first.
        target: Those of the other.
        pairs: The dictionary to start from.
        how: Settings.
        report: Called with a sentence after each round.

    Returns:
        The dictionary after the last round.
    """
    draw = np.random.default_rng(how.seed)
    given = (pairs.source, pairs.target)
    x, z = source[: how.words], target[: how.words]
    left, right, keep = *given, how.keep
    best, since, done = -np.inf, 0, 0
    for done in range(1, how.rounds + 1):
        turn, back = rotations(source[left], target[right], how.reweight)
        found = match(unit_rows(x @ turn), unit_rows(z @ back), neighbours=how.neighbours, keep=keep, draw=draw)
        left, right = _joined(found.pairs(how.directions), given if how.keep_given else None)
        score = found.mean_score
        since = 0 if score >= best + how.threshold else since + 1
        best = max(best, score)
        report(
            f"round {done}: {len(left):,} pairs, mean score {score:.4f}" + (f", keeping {keep:g}" if keep < 1 else "")
        )
        if since > how.patience:
            if keep >= 1:
                break
            keep, since, best = min(1.0, 2 * keep), 0, -np.inf
    return Learnt(left, right, {"rounds": float(done), "induced pairs": float(len(left)), "mean score": score})


def rotations(source: FloatArray, target: FloatArray, reweight: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Return the orthogonal maps of both sides under which paired rows are closest; dimensions may differ.

    Directions that no pair has are left out: any rotation of them would be as good. The others are scaled by a power of
    their singular values, so that those on which the pairs agree count for more.
    """
    left, strength, right = np.linalg.svd(Products.of(source, target).xz, full_matrices=False)
    seen = strength > EMPTY * strength[0]
    scales = (strength[seen] / strength[0]) ** reweight
    return single(left[:, seen] * scales), single(right.T[:, seen] * scales)


def _joined(
    found: tuple[IndexArray, IndexArray], given: tuple[IndexArray, IndexArray] | None
) -> tuple[IndexArray, IndexArray]:
    if given is None:
        return found
    return np.concatenate([given[0], found[0]]), np.concatenate([given[1], found[1]])
