"""Orthogonal Procrustes: the rotation that brings paired rows closest.

Schönemann (1966); for word vectors Xing et al. (NAACL 2015) and Smith et al. (ICLR 2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.alignment.base import Affine, Maps, Method, Products
from everyword.space.moments import DoubleArray


@dataclass(frozen=True)
class Orthogonal(Method):
    """W = UVᵀ from XᵀZ = USVᵀ minimises ‖XW - Z‖ among rotations; the target stays as it is."""

    NAME: ClassVar[str] = "orthogonal.v1"
    PREPARE: ClassVar[str] = "unit-rows"
    SAME_DIM: ClassVar[bool] = True

    def learn(self, source: FloatArray, target: FloatArray) -> Maps:
        """The rotation of the source, and no change of the target."""
        xz = Products.of(source, target).xz
        return Maps(Affine.of(rotation(xz)), Affine.of(np.eye(len(xz))), {})


def rotation(xz: DoubleArray) -> DoubleArray:
    """Return the orthogonal W that maximises the trace of Wᵀ(XᵀZ).

    >>> rotation(np.array([[0.0, 3.0], [-2.0, 0.0]])).round(3).tolist()
    [[0.0, 1.0], [-1.0, 0.0]]
    """
    left, _, right = np.linalg.svd(xz)
    turned: DoubleArray = left @ right
    return turned
