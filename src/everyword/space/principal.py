"""The principal space of a table: each coordinate is a component, by decreasing variance.

In it every cut of the paper on dimensional properties is a choice of columns, so one fit and one projection serve a
whole sweep: the first k are `pca:k`, all but the first D are `all-but-the-top:D`, and `all-but-the-top:D,pca:n,
all-but-the-top:D` leaves the components 2D + 1 to D + n.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.errors import InputError
from everyword.space.moments import DoubleArray, Moments, principal_directions, single
from everyword.space.rows import apply_by_blocks, checked_rows

Block = Literal["top", "middle", "bottom"]
BLOCKS: tuple[Block, ...] = get_args(Block)


@dataclass(frozen=True)
class PrincipalSpace:
    """A mean and principal components; all of them after `fit`, some of them after a cut.

    >>> rows = np.array([[5, 1], [1, 1], [3, 2], [3, 0]], dtype=np.float32)
    >>> space = PrincipalSpace.fit(rows)
    >>> space.shares.tolist(), space.keep(1).apply(rows)[:2].ravel().tolist()
    ([0.8, 0.2], [2.0, -2.0])
    """

    mean: FloatArray
    basis: FloatArray
    """The components as columns."""
    variances: DoubleArray
    """The variance of each component."""
    total: float
    """The variance of the whole table."""

    @classmethod
    def fit(cls, matrix: AnyArray) -> PrincipalSpace:
        """Find the components of a matrix with a vector per row."""
        rows = checked_rows(matrix)
        if len(rows) < 2:
            raise InputError(f"Principal components need two vectors or more. Got {len(rows)} instead.")
        moments = Moments.of(rows)
        variances, directions = principal_directions(moments.covariance)
        return cls(single(moments.mean), single(directions), variances, float(variances.sum()))

    def __len__(self) -> int:
        return int(self.basis.shape[1])

    @property
    def shares(self) -> DoubleArray:
        """The share of the table's variance in each component."""
        return self.variances / self.total if self.total > 0 else np.zeros(len(self))

    @property
    def share(self) -> float:
        """The share of the table's variance in all components together."""
        return float(self.shares.sum())

    def apply(self, matrix: AnyArray) -> FloatArray:
        """Return the coordinates of any vectors of the same space, words made up later included."""
        rows = checked_rows(matrix)
        if rows.shape[1] != len(self.mean):
            raise InputError(
                f"These components are of vectors of dimension {len(self.mean)}. Got dimension {rows.shape[1]} instead."
            )
        return apply_by_blocks(self._coordinates, rows, len(self))

    def _coordinates(self, rows: FloatArray) -> FloatArray:
        centred: FloatArray = rows - self.mean
        coordinates: FloatArray = centred @ self.basis
        return coordinates

    def restore(self, coordinates: FloatArray) -> FloatArray:
        """Return centred vectors of the original dimension from coordinates."""
        restored: FloatArray = coordinates @ self.basis.T
        return restored

    def keep(self, count: int) -> PrincipalSpace:
        """Return the first components."""
        return self.cut(0, count)

    def block(self, name: Block) -> PrincipalSpace:
        """Return the top, middle or bottom third of the components."""
        return self.cut(*block_bounds(name, len(self)))

    def component(self, number: int) -> PrincipalSpace:
        """Return a single component, counted from 1."""
        return self.cut(number - 1, number)

    def remove_top(self, count: int) -> PrincipalSpace:
        """Return all components but the first."""
        return self.cut(count, len(self))

    def cut(self, start: int, stop: int) -> PrincipalSpace:
        """Return the components from `start` to before `stop`, counted from 0."""
        if not 0 <= start < stop <= len(self):
            raise InputError(f"There are {len(self)} components. Got {start + 1} to {stop} instead.")
        return replace(self, basis=self.basis[:, start:stop], variances=self.variances[start:stop])


def block_bounds(name: Block, count: int) -> tuple[int, int]:
    """Return where a third of the components begins and ends.

    >>> [block_bounds(name, 256) for name in BLOCKS]
    [(0, 85), (85, 171), (171, 256)]
    """
    if name not in BLOCKS:
        raise InputError(f"The block must be {', '.join(BLOCKS[:-1])} or {BLOCKS[-1]}. Got {name!r} instead.")
    number = BLOCKS.index(name)
    return round(number * count / len(BLOCKS)), round((number + 1) * count / len(BLOCKS))
