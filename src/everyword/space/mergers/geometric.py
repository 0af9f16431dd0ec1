"""Geometric meta-embedding: a rotation for each source and one metric for all, then average or concatenate.

Jawanpuria, N T V, Kunchukuttan and Mishra, "Learning Geometric Word Meta-Embeddings" (RepL4NLP 2020). The paper
searches on manifolds; its problem has a closed form, which needs no iteration and takes sources of any dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Literal

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Positive
from everyword.space.mergers.base import Evidence, Merger, Parts, mean_of_present
from everyword.space.moments import Arrays, DoubleArray, Fit, column_signs, principal_directions, single
from everyword.vectors.neighbours import unit_rows


@dataclass(frozen=True)
class Geometric(Merger):
    """Each source turned into one common space with one metric, then averaged or put side by side."""

    NAME: ClassVar[str] = "geometric.v1"
    join: Literal["average", "concatenate"] = "average"
    ridge: Positive = 0.1
    """The paper's C as a multiple of ā·ḡ, the mean eigenvalues of XᵀX and ZᵀZ: then it does not depend on the number
    of words (the authors' C = 50 is about 0.001 for 30,000 words of unit length). Chosen on one set of word pairs, CRW
    dev (part of RareWord), for one pair of tables: 0.001 to 0.1 are nearly alike there and more is worse."""
    unit: bool = True
    """Whether vectors in the common space are scaled to length 1 before they are joined, as the authors' code does."""

    def learn(self, evidence: Evidence) -> Fit:
        """A map from each source into the common space.

        Two sources are the paper's problem. Each further one is aligned with the mean of those before it, which is
        our extension; all of it follows from the products of the sources side by side.
        """
        products = evidence.shared().products
        columns = _columns(evidence.dims)
        maps: list[DoubleArray] = [np.eye(evidence.dims[0])]
        for index in range(1, len(columns)):
            mean = _mean_map(maps, evidence.weights)
            before, new = slice(0, columns[index].start), columns[index]
            old_side, new_side = align(
                mean.T @ products[before, before] @ mean,
                products[new, new],
                mean.T @ products[before, new],
                self.ridge,
            )
            maps = [*(earlier @ old_side for earlier in maps), new_side]
        arrays = {f"map{index}": single(matrix) for index, matrix in enumerate(maps)}
        return Fit(arrays, {"dimensions of the common space": float(maps[0].shape[1])})

    def combine(self, parts: Parts, weights: Sequence[float], arrays: Arrays) -> FloatArray:
        """Geo-AVG or Geo-CONC: the mean of B½Ux and B½Vz, or both side by side; each source alone will do."""
        moved = tuple(rows @ arrays[f"map{index}"] for index, rows in enumerate(parts.rows))
        latent = Parts(tuple(map(unit_rows, moved)) if self.unit else moved, parts.present)
        return mean_of_present(latent, weights) if self.join == "average" else latent.weighted(weights)


def align(xx: DoubleArray, zz: DoubleArray, xz: DoubleArray, ridge: float) -> tuple[DoubleArray, DoubleArray]:
    """The maps UᵀB½ and VᵀB½ (for rows) that bring x and z together, from XᵀX, ZᵀZ and XᵀZ.

    The paper minimises ‖X W Zᵀ - I‖² + C‖W‖² over W = UᵀBV. A rotation does not change ‖B‖ = ‖W‖, and any W is such
    a product by its singular values, so W itself may be sought: XᵀX W ZᵀZ + C W = XᵀZ, which the eigenvectors
    P of XᵀX and Q of ZᵀZ turn into one division an entry. Then W = L S Rᵀ gives U = Lᵀ, V = Rᵀ, B = S.
    """
    x_values, p = principal_directions(xx)
    z_values, q = principal_directions(zz)
    strength = ridge * x_values.mean() * z_values.mean()
    turned = (p.T @ xz @ q) / (np.outer(x_values, z_values) + max(strength, np.finfo(float).tiny))
    left, metric, right = np.linalg.svd(p @ turned @ q.T, full_matrices=False)
    signs = column_signs(left) * np.sqrt(metric)
    return left * signs, right.T * signs


def _columns(dims: Sequence[int]) -> list[slice]:
    ends = list(accumulate(dims))
    return [slice(end - dim, end) for end, dim in zip(ends, dims, strict=True)]


def _mean_map(maps: Sequence[DoubleArray], weights: Sequence[float]) -> DoubleArray:
    """From sources side by side to the weighted mean of what their maps make of them."""
    total = sum(weights[: len(maps)])
    return np.concatenate([weight / total * matrix for weight, matrix in zip(weights, maps, strict=False)])
