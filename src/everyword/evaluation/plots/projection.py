"""Many dimensions on a sheet of paper: the plane in which vectors differ most."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray

Floats = npt.NDArray[np.float64]


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
