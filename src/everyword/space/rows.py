"""Rows of a big matrix, a block at a time, so that nothing of the size of the matrix is made on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.errors import InputError
from everyword.vectors.table import as_float32

FLOATS_AT_ONCE = 1 << 22


def blocks(count: int, dim: int) -> Iterator[slice]:
    """Slices over `count` rows of `dim` numbers, each of bounded size.

    >>> list(blocks(5, FLOATS_AT_ONCE // 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, FLOATS_AT_ONCE // max(1, dim))
    return (slice(start, min(start + step, count)) for start in range(0, count, step))


def apply_by_blocks(
    change: Callable[[FloatArray], FloatArray], matrix: FloatArray, dim: int, *, in_place: bool = False
) -> FloatArray:
    """`change` of all rows, which then have `dim` numbers; `in_place` overwrites a matrix of that shape."""
    changed = matrix if in_place else np.empty((len(matrix), dim), dtype=np.float32)
    for part in blocks(len(matrix), max(dim, matrix.shape[1])):
        changed[part] = change(matrix[part])
    return changed


def checked_rows(matrix: AnyArray, words: Sequence[str] | None = None) -> FloatArray:
    """The matrix as float32; NaN and infinity are refused, by word where `words` are given."""
    rows = as_float32(matrix)
    for part in blocks(*rows.shape):
        finite = np.isfinite(rows[part]).all(axis=1)
        if not finite.all():
            place = part.start + int(np.argmin(finite))
            whose = f"of {words[place]!r}" if words is not None else f"in row {place}"
            raise InputError(f"The vector {whose} holds NaN or infinity; leave it out or repair it.")
    return rows
