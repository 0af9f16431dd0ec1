"""Clustering: are words of one class close together? The purity of k-means clusters of unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task

SEEDS = 20
STEPS = 100
WideArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ClusteringSet:
    """Words and their classes."""

    name: str
    words: Sequence[str]
    classes: AnyArray
    noisy: bool = False
    """Whether words are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def load(cls, path: Path) -> ClusteringSet:
        """Read tab-separated word and category with one header line."""
        rows = [cells for _, cells in read_rows(path, "clustering set", ("word", "category"))]
        classes = np.array([category for _, category in rows])
        if len(set(classes)) < 2:
            raise InputError(f"{path} holds {len(set(classes))} classes; clustering needs two or more.")
        return cls(path.stem, [word for word, _ in rows], classes)


def purity(clusters: IndexArray, classes: AnyArray) -> float:
    """Return the share of points that belong to the most frequent class of their cluster.

    >>> purity(np.array([0, 0, 0, 1, 1]), np.array(["a", "a", "b", "b", "b"]))
    0.8
    """
    _, labels = np.unique(classes, return_inverse=True)
    counts = np.zeros((int(clusters.max()) + 1, int(labels.max()) + 1), dtype=int)
    np.add.at(counts, (clusters, labels), 1)
    return float(counts.max(axis=1).sum() / len(labels))


def kmeans(vectors: FloatArray, k: int, rng: np.random.Generator) -> IndexArray:
    """Return the cluster of each point: k-means++ starts, Lloyd's steps, Euclidean distance.

    Written by hand because every score of the task depends on its arithmetic.
    """
    points = vectors.astype(np.float64)  # so that a point is at distance 0 from itself, or very nearly
    centres = _spread_out(points, k, rng)
    clusters: IndexArray = _distances(points, centres).argmin(axis=1)
    for _ in range(STEPS):
        distances = _distances(points, _means(points, clusters, centres))
        moved = distances.argmin(axis=1)
        for empty in np.setdiff1d(np.arange(k), moved):
            # A cluster that lost its last point begins again at the point that is worst served.
            worst = distances[np.arange(len(points)), moved].argmax()
            moved[worst], distances[worst] = empty, 0
        if (moved == clusters).all():
            break
        clusters = moved
    return clusters


def _spread_out(points: WideArray, k: int, rng: np.random.Generator) -> WideArray:
    """K-means++: draw each next centre with a probability that grows with its squared distance."""
    chosen = [int(rng.integers(len(points)))]
    nearest = np.full(len(points), np.inf)
    while len(chosen) < k:
        nearest = np.minimum(nearest, _distances(points, points[chosen[-1:]])[:, 0])
        total = nearest.sum()
        odds = nearest / total if total > 0 else np.full(len(points), 1 / len(points))
        chosen.append(int(rng.choice(len(points), p=odds)))
    return points[chosen]


def _distances(points: WideArray, centres: WideArray) -> WideArray:
    squares: WideArray = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1) - 2 * points @ centres.T
    return np.maximum(squares, 0)


def _means(points: WideArray, clusters: IndexArray, before: WideArray) -> WideArray:
    sums = np.zeros_like(before)
    np.add.at(sums, clusters, points)
    counts = np.bincount(clusters, minlength=len(before))[:, None]
    return np.where(counts > 0, sums / np.maximum(counts, 1), before)


def run(model: EvaluatedModel, data: ClusteringSet, seed: int) -> Scores:
    """Score the mean purity over many starts; k is the number of classes."""
    known = np.array([model.known(word) for word in data.words])
    if model.policy == "zero" and not (data.noisy or known.any()):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    units = model.units(data.words)
    everything = _purities(units, data.classes, seed)
    values: dict[str, float | None] = {"purity": float(np.mean(everything)), "purity_known": None}
    spread = {"purity": float(np.std(everything))}
    if len(set(data.classes[known])) > 1:
        known_only = _purities(units[known], data.classes[known], seed)
        values["purity_known"], spread["purity_known"] = float(np.mean(known_only)), float(np.std(known_only))
    return Scores(values, len(data.words), int(known.sum()), spread, SEEDS)


def _purities(units: FloatArray, classes: AnyArray, seed: int) -> list[float]:
    k = len(set(classes))
    starts = (np.random.default_rng([seed, number]) for number in range(SEEDS))
    return [100 * purity(kmeans(units, k, rng), classes) for rng in starts]


def misspelt(data: ClusteringSet, misspell: Misspell) -> ClusteringSet:
    """Return the same words in other spellings."""
    return replace(data, words=[misspell(word) for word in data.words], noisy=True)


TASK = Task(
    name="clustering",
    version=1,
    kind="clustering",
    summary="Are words of one class close together? Purity of k-means clusters.",
    main="purity",
    load=ClusteringSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
