"""A matrix of which many numbers are zero: one bit for each number, and the floats that are left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, AnyArray, ByteArray, FloatArray, IndexArray
from everyword.errors import DamagedModelError


@dataclass(frozen=True)
class SparseMatrix:
    """A bit mask by rows, and the numbers where it is set, in order."""

    mask: ByteArray
    """(rows, bytes): the bits of each row, the first in the highest place; the last byte is filled up with zeros."""
    values: FloatArray
    dim: int

    @classmethod
    def pack(cls, matrix: FloatArray) -> SparseMatrix:
        """Store what is not zero."""
        kept = matrix != 0
        return cls(np.packbits(kept, axis=1), np.ascontiguousarray(matrix[kept], dtype=np.float32), matrix.shape[1])

    def __len__(self) -> int:
        return len(self.mask)

    @property
    def precision(self) -> str:
        """Return the name of this way to store numbers."""
        return "sparse"

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the matrix as floats."""
        return len(self.mask), self.dim

    @cached_property
    def _starts(self) -> IndexArray:
        """Where the numbers of each row begin, and the end of the last."""
        counts = _BITS[self.mask].sum(axis=1, dtype=np.int64)
        return np.concatenate([[0], np.cumsum(counts)])

    def floats(self, rows: slice = slice(None)) -> FloatArray:
        """Return some consecutive rows, or all, as float32."""
        start, stop, _ = rows.indices(len(self))
        stop = max(start, stop)
        kept = np.unpackbits(self.mask[start:stop], axis=1, count=self.dim).astype(bool)
        matrix = np.zeros(kept.shape, dtype=np.float32)
        matrix[kept] = self.values[self._starts[start] : self._starts[stop]]
        return matrix

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """Return the arrays to save, by name."""
        return {f"{name}.mask": self.mask, f"{name}.values": self.values}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], name: str, dim: int) -> SparseMatrix:
        """Read what `to_tensors` made; raise DamagedModelError for arrays that it cannot have made."""
        mask, values = tensors.get(f"{name}.mask"), tensors.get(f"{name}.values")
        if mask is None or values is None or not 1 <= dim <= MOST_DIMENSIONS or not _fit(mask, values, dim):
            raise DamagedModelError(f"The sparse table {name!r} is incomplete or of the wrong size.")
        return cls(mask, values, dim)


_BITS = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)


def _fit(mask: AnyArray, values: AnyArray, dim: int) -> bool:
    if mask.dtype != np.uint8 or mask.ndim != 2 or mask.shape[1] != -(-dim // 8):
        return False
    if dim % 8 and (mask[:, -1] & (0xFF >> dim % 8)).any():
        return False
    if values.dtype != np.float32 or values.ndim != 1 or len(values) != int(_BITS[mask].sum(dtype=np.int64)):
        return False
    return bool(np.isfinite(values).all())
