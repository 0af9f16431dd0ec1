"""Rows of a large matrix block by block, without temporary arrays of its size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.errors import InputError
from everyword.vectors.table import as_float32

FLOATS_AT_ONCE = 1 << 22


def blocks(count: int, dim: int) -> Iterator[slice]:
    """Return slices over `count` rows of dimension `dim`, each of bounded size.

    >>> list(blocks(5, FLOATS_AT_ONCE // 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, FLOATS_AT_ONCE // max(1, dim))
    return (slice(start, min(start + step, count)) for start in range(0, count, step))


def apply_by_blocks(
    change: Callable[[FloatArray], FloatArray], matrix: FloatArray, dim: int, *, in_place: bool = False
) -> FloatArray:
    """Apply `change` to all rows, which then have dimension `dim`; `in_place` overwrites the matrix."""
    changed = matrix if in_place else np.empty((len(matrix), dim), dtype=np.float32)
    for part in blocks(len(matrix), max(dim, matrix.shape[1])):
        changed[part] = change(matrix[part])
    return changed


def checked_rows(matrix: AnyArray, words: Sequence[str] | None = None) -> FloatArray:
    """Return the matrix as float32; raise InputError for NaN and infinity."""
    rows = as_float32(matrix)
    for part in blocks(*rows.shape):
        finite = np.isfinite(rows[part]).all(axis=1)
        if not finite.all():
            index = part.start + int(np.argmin(finite))
            whose = f"of {words[index]!r}" if words is not None else f"in row {index}"
            raise InputError(f"The vector {whose} holds NaN or infinity; leave it out or repair it.")
    return rows
