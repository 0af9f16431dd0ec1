"""The interface of a method that learns maps from pairs of vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.space.moments import DoubleArray, Moments, single


@dataclass(frozen=True)
class Affine:
    """Rows times a matrix plus an offset."""

    matrix: FloatArray
    offset: FloatArray

    @classmethod
    def of(cls, matrix: DoubleArray, offset: DoubleArray | None = None) -> Affine:
        """Make one of float64 arrays; without an offset it is linear."""
        return cls(single(matrix), single(np.zeros(matrix.shape[1]) if offset is None else offset))

    def __call__(self, rows: FloatArray) -> FloatArray:
        mapped: FloatArray = rows @ self.matrix + self.offset
        return mapped


@dataclass(frozen=True)
class Maps:
    """A map of each space into the common one, and figures for the user."""

    source: Affine
    target: Affine
    facts: dict[str, float]


class Method(ABC):
    """A frozen dataclass of options; `learn` finds maps under which paired rows come close."""

    NAME: ClassVar[str]
    PREPARE: ClassVar[str]
    """Steps that both tables go through first, unless others are chosen."""
    SAME_DIM: ClassVar[bool] = False
    """Whether both tables must have the same dimension."""
    MOVES_TARGET: ClassVar[bool] = False
    """Whether it changes the target's cosines, so that the target must go through its map as well."""

    @abstractmethod
    def learn(self, source: FloatArray, target: FloatArray) -> Maps:
        """Learn from two matrices of which row i and row i belong together."""

    def check_dims(self, source: int, target: int) -> None:
        """Raise InputError if the dimensions of the tables do not go together."""
        if self.SAME_DIM and source != target:
            raise InputError(
                f"A rotation needs tables of one dimension. Got {source} and {target}; shrink the larger with "
                f"'everyword postprocess --steps pca:{min(source, target)}', or take the method ridge or cca."
            )


@dataclass(frozen=True)
class Products:
    """XᵀX, ZᵀZ and XᵀZ of paired rows, divided by their number."""

    xx: DoubleArray
    zz: DoubleArray
    xz: DoubleArray

    @classmethod
    def of(cls, source: FloatArray, target: FloatArray) -> Products:
        """Compute the products of paired rows."""
        dim = source.shape[1]
        moments = Moments.of(np.concatenate([source, target], axis=1))
        products = moments.products / max(1, moments.count)
        found = cls(products[:dim, :dim], products[dim:, dim:], products[:dim, dim:])
        if not found.xx.any() or not found.zz.any():
            raise InputError(
                "On one side the vectors of all pairs are zero, so nothing can be learnt; check the tables."
            )
        return found
