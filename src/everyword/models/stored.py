"""A matrix as it lies on disk: plain floats, or int8 with one scale a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray

Precision = Literal["float32", "float16", "int8"]


@dataclass(frozen=True)
class StoredMatrix:
    """Values and, for int8, the scale that turns each row back into floats."""

    values: AnyArray
    scales: FloatArray | None = None

    @classmethod
    def pack(cls, matrix: FloatArray, precision: Precision) -> StoredMatrix:
        """Store floats at a precision. Vectors (one dimension) stay float32: they are few and matter."""
        if precision == "float32" or matrix.ndim == 1:
            return cls(np.ascontiguousarray(matrix, dtype=np.float32))
        if precision == "float16":
            return cls(matrix.astype(np.float16))
        # Never below the smallest normal float: a row of zeros, or nearly so, must not be divided by zero.
        scales = np.maximum(np.abs(matrix).max(axis=1) / 127, np.finfo(np.float32).tiny).astype(np.float32)
        return cls(np.rint(matrix / scales[:, None]).astype(np.int8), scales)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def precision(self) -> str:
        """The name of the stored type."""
        return str(self.values.dtype)

    def floats(self, rows: IndexArray | slice = slice(None)) -> FloatArray:
        """Some rows, or all, as float32."""
        values: FloatArray = self.values[rows].astype(np.float32)
        if self.scales is not None:
            values *= self.scales[rows][:, None]
        return values

    def take(self, rows: IndexArray) -> StoredMatrix:
        """Some of the rows, stored as they are."""
        return StoredMatrix(self.values[rows], None if self.scales is None else self.scales[rows])

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """The arrays to save, by name."""
        return {name: self.values} if self.scales is None else {name: self.values, f"{name}.scales": self.scales}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], name: str) -> StoredMatrix:
        """What `to_tensors` made."""
        return cls(tensors[name], tensors.get(f"{name}.scales"))
