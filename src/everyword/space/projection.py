"""Many dimensions on a sheet of paper: the plane in which vectors differ most, or one that keeps neighbours together.

Only principal components are a view of the vectors as they are. t-SNE and UMAP bend them so that near ones stay near;
what is far apart, and how dense a group is, means nothing there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.extras import require

Floats = npt.NDArray[np.float64]

SEED = 0
"""Of the methods that begin at random; one for all, so that the same words give the same picture."""
PERPLEXITY = 30.0
NEIGHBOURS = 15
"""How many words count as near: the usual numbers of t-SNE and UMAP, which few words make smaller."""
EXACT_UP_TO = 1000
"""With more words t-SNE is approximated, or it would take minutes."""
FEWEST_TO_BEND = 5
"""With fewer words there are no neighbours to tell from others."""


@dataclass(frozen=True)
class Plane:
    """Points on paper, and what is to be said about them."""

    points: Floats
    axes: tuple[str, str]
    """The names of the axes; empty where they mean nothing."""
    caption: str


def principal_plane(vectors: FloatArray) -> tuple[Floats, Floats]:
    """Coordinates of vectors on their first two principal components, and the share of variance that each keeps.

    A component has no sign of its own: the first vector that lies at least half as far out as the farthest one gets a
    positive coordinate.

    >>> points, shares = principal_plane(np.array([[4.0, 1], [1, 1], [1, 1]]))
    >>> points[:, 0].round(3).tolist(), shares.round(3).tolist()
    ([2.0, -1.0, -1.0], [1.0, 0.0])
    """
    centred = np.asarray(vectors, dtype=np.float64) - np.mean(vectors, axis=0, dtype=np.float64)
    left, strengths, _ = np.linalg.svd(centred, full_matrices=False)
    found = min(2, len(strengths))
    points, shares = np.zeros((len(centred), 2)), np.zeros(2)
    points[:, :found] = left[:, :found] * strengths[:found]
    far_out = np.abs(points) >= np.abs(points).max(axis=0) / 2
    points *= np.where(points[far_out.argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    if strengths.any():
        shares[:found] = np.square(strengths[:found]) / np.square(strengths).sum()
    return points, shares


def _pca(vectors: FloatArray) -> Plane:
    points, shares = principal_plane(vectors)
    axes = f"first component, {shares[0]:.0%} of the variance", f"second component, {shares[1]:.0%}"
    return Plane(points, axes, f"principal components of unit vectors, {shares.sum():.0%} of the variance")


def _tsne(vectors: FloatArray) -> Plane:
    manifold = require("sklearn.manifold", "A map by t-SNE")
    method = "exact" if len(vectors) <= EXACT_UP_TO else "barnes_hut"
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    bent = manifold.TSNE(perplexity=perplexity, init="pca", method=method, random_state=SEED, n_jobs=1)
    points = bent.fit_transform(np.asarray(vectors, dtype=np.float64))
    said = f"t-SNE of unit vectors, perplexity {perplexity:.3g}, seed {SEED}: only what is near means something"
    return Plane(np.asarray(points, dtype=np.float64), ("", ""), said)


def _umap(vectors: FloatArray) -> Plane:
    near = min(NEIGHBOURS, max(2, (len(vectors) - 1) // 3))
    with warnings.catch_warnings():
        # What it and the compiler beneath it say about themselves is nothing that a reader of the map can change.
        warnings.simplefilter("ignore")
        umap = require("umap", "A map by UMAP")
        bent = umap.UMAP(n_neighbors=near, metric="cosine", init="pca", random_state=SEED, n_jobs=1)
        points = bent.fit_transform(np.asarray(vectors, dtype=np.float64))
    said = f"UMAP by cosine, {near} neighbours, seed {SEED}: only what is near means something"
    return Plane(np.asarray(points, dtype=np.float64), ("", ""), said)


METHODS: dict[str, Callable[[FloatArray], Plane]] = {"pca": _pca, "tsne": _tsne, "umap": _umap}


def project(vectors: FloatArray, method: str = "pca") -> Plane:
    """Vectors on a plane, the same for the same vectors."""
    if method not in METHODS:
        raise UnknownNameError(f"There is no projection {method!r}: {did_you_mean(method, METHODS)}")
    if method != "pca" and len(vectors) < FEWEST_TO_BEND:
        raise InputError(
            f"The method {method!r} needs {FEWEST_TO_BEND} or more words. Got {len(vectors)}; give more, or choose pca."
        )
    return METHODS[method](vectors)
