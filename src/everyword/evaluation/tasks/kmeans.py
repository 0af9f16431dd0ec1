"""K-means, small enough to read: k-means++ starts, Lloyd's steps, Euclidean distance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray, IndexArray

STEPS = 100
WideArray = npt.NDArray[np.float64]


def kmeans(vectors: FloatArray, k: int, rng: np.random.Generator) -> IndexArray:
    """The cluster of each point; between 1 and as many clusters as there are points."""
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
    """K-means++: each next centre is a point drawn with a probability that grows with its squared distance."""
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
