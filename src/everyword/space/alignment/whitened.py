"""Canonical correlation and its relatives: whiten both spaces, rotate them, re-weight, and de-whiten.

Faruqui and Dyer (EACL 2014) for canonical correlation; Artetxe, Labaka and Agirre, "Generalizing and Improving
Bilingual Word Embedding Mappings with a Multi-Step Framework of Linear Transformations" (AAAI 2018) for the steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Count, Fraction
from everyword.space.alignment.base import Affine, Maps, Method, Products
from everyword.space.moments import EMPTY, DoubleArray, column_signs, principal_directions

PREPARE = "unit-rows,centre,unit-rows"


@dataclass(frozen=True)
class Cca(Method):
    """Both spaces whitened and turned to their canonical directions, strongest correlation first."""

    NAME: ClassVar[str] = "cca.v1"
    PREPARE: ClassVar[str] = PREPARE
    MOVES_TARGET: ClassVar[bool] = True
    reweight: Fraction = 1.0
    """The power of the correlations by which directions are scaled on both sides; 0 is plain canonical correlation."""
    dims: Count | None = None
    """How many canonical directions to keep; None for all."""

    def learn(self, source: FloatArray, target: FloatArray) -> Maps:
        """Whitening, rotation and re-weighting of both sides."""
        found = _canonical(source, target)
        scales = found.correlations[: self.dims] ** self.reweight
        left = found.source.forth @ found.left[:, : self.dims] * scales
        right = found.target.forth @ found.right[:, : self.dims] * scales
        return Maps(Affine.of(left), Affine.of(right), found.facts)


@dataclass(frozen=True)
class VecMap(Method):
    """As canonical correlation, with each side's own spread put back at the end."""

    NAME: ClassVar[str] = "vecmap.v1"
    PREPARE: ClassVar[str] = PREPARE
    MOVES_TARGET: ClassVar[bool] = True
    reweight: Fraction = 0.5
    """The power of the correlations by which directions are scaled on both sides."""

    def learn(self, source: FloatArray, target: FloatArray) -> Maps:
        """W₁ A Sᵖ AᵀW₁⁻¹A for the source with W₁ = (XᵀX)^-½, and the same with B for the target."""
        found = _canonical(source, target)
        scales = found.correlations**self.reweight
        left = found.source.forth @ found.left * scales @ (found.left.T @ found.source.back @ found.left)
        right = found.target.forth @ found.right * scales @ (found.right.T @ found.target.back @ found.right)
        return Maps(Affine.of(left), Affine.of(right), found.facts)


class _Whitening(NamedTuple):
    forth: DoubleArray
    back: DoubleArray
    kept: int


class _Canonical(NamedTuple):
    source: _Whitening
    target: _Whitening
    left: DoubleArray
    correlations: DoubleArray
    right: DoubleArray
    facts: dict[str, float]


def _whitening(products: DoubleArray) -> _Whitening:
    """The symmetric root of the inverse and that of the matrix itself.

    A direction that no pair has is left out of both: its inverse would be rounding error, blown up.
    """
    values, vectors = principal_directions(products)
    seen = values > EMPTY * values[0]
    roots = np.sqrt(np.where(seen, values, 1.0))
    return _Whitening((vectors * (seen / roots)) @ vectors.T, (vectors * (seen * roots)) @ vectors.T, int(seen.sum()))


def _canonical(source: FloatArray, target: FloatArray) -> _Canonical:
    """Whiten both sides, and find the rotations that diagonalise their correlation."""
    products = Products.of(source, target)
    one, other = _whitening(products.xx), _whitening(products.zz)
    left, correlations, right = np.linalg.svd(one.forth @ products.xz @ other.forth, full_matrices=False)
    signs = column_signs(left)
    facts = {"directions of the source": float(one.kept), "directions of the target": float(other.kept)}
    return _Canonical(one, other, left * signs, np.minimum(correlations, 1.0), right.T * signs, facts)
