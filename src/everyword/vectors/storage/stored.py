"""A matrix as it is stored: plain floats, or int8 or int4 with one scale per row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from everyword import kernel
from everyword.arrays import MOST_DIMENSIONS, AnyArray, FloatArray, IndexArray
from everyword.errors import DamagedModelError, InputError
from everyword.vectors.neighbours import rows_of_length

Precision = Literal["float32", "float16", "int8", "int4"]

LARGEST_FLOAT16 = 65_504
"""Greater numbers would become infinity."""
NIBBLE_ZERO = 8
"""In int4 the numbers -7 to 7 are the half bytes 1 to 15; the half byte 0 fills up a row of odd length."""
# Of the two half bytes of a byte the lower comes first. Each pair of floats is moved as one number of 64 bits.
_PAIRS = np.array([(byte % 16, byte // 16) for byte in range(256)], dtype=np.float32) - NIBBLE_ZERO
_PAIRS_AS_NUMBERS = _PAIRS.view(np.uint64).ravel()

INT4_LARGEST = (1.0, 0.9, 0.8, 0.7, 0.6)
"""What share of a row's largest value the number 7 may stand for. Fifteen numbers are few: cutting off a rare large
value can leave less error than coarse steps for all others; each row gets the share that does best for it."""


@dataclass(frozen=True)
class StoredMatrix:
    """Values and, for int8 and int4, the scale that turns each row back into floats."""

    values: AnyArray
    scales: FloatArray | None = None

    @classmethod
    def pack(cls, matrix: FloatArray, precision: Precision) -> StoredMatrix:
        """Store floats at a precision. Vectors (one dimension) stay float32: they are few and matter."""
        if precision == "float32" or matrix.ndim == 1 or not matrix.size:
            return cls(np.ascontiguousarray(matrix, dtype=np.float32))
        if precision == "float16":
            return cls(_as_float16(matrix))
        if precision == "int8":
            scales = _scales(np.abs(matrix).max(axis=1) / 127)
            return cls(np.rint(matrix / scales[:, None]).astype(np.int8), scales)
        numbers, scales = _as_int4(matrix)
        return cls(_two_a_byte(numbers), scales)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def precision(self) -> str:
        """Return the name of the stored type."""
        return "int4" if self._has_two_a_byte else str(self.values.dtype)

    @property
    def _has_two_a_byte(self) -> bool:
        return bool(self.values.dtype == np.uint8)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the matrix as floats."""
        if not self._has_two_a_byte:
            return self.values.shape
        return len(self.values), 2 * self.values.shape[1] - self._filled

    @property
    def _filled(self) -> int:
        """Return how many half bytes at the end of a row only fill it up."""
        return int(self.values[0, -1] >> 4 == 0)

    def floats(self, rows: IndexArray | slice = slice(None)) -> FloatArray:
        """Return some rows, or all, as float32."""
        values: FloatArray = self._unpacked(rows) if self._has_two_a_byte else self.values[rows].astype(np.float32)
        if self.scales is not None:
            values *= self.scales[rows][:, None]
        return values

    def sum_of_directions(self, rows: IndexArray, weights: FloatArray) -> FloatArray:
        """Return the sum of a few rows, each scaled to length 1 and weighed."""
        total: FloatArray = weights @ rows_of_length(self.floats(rows), 1.0)
        return total

    def _unpacked(self, rows: IndexArray | slice) -> FloatArray:
        # "clip" saves the check of bounds; no byte is out of them.
        pairs = np.take(_PAIRS_AS_NUMBERS, self.values[rows], mode="clip").view(np.float32)
        return pairs[:, : pairs.shape[1] - self._filled]

    @property
    def packed(self) -> kernel.Rows | None:
        """Return the rows as the compiled kernel reads them; None if it is not there or cannot."""
        return kernel.Rows.of(self.values, self.scales)

    def take(self, rows: IndexArray) -> StoredMatrix:
        """Return some of the rows, stored as they are; an empty selection is float32, as in `pack`."""
        if not len(rows):
            return StoredMatrix(self.floats(rows))
        return StoredMatrix(self.values[rows], None if self.scales is None else self.scales[rows])

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """Return the arrays to save, by name."""
        return {name: self.values} if self.scales is None else {name: self.values, f"{name}.scales": self.scales}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], name: str) -> StoredMatrix:
        """Read what `to_tensors` made; raise DamagedModelError for arrays that it cannot have made."""
        values, scales = tensors.get(name), tensors.get(f"{name}.scales")
        if values is None or not _are_stored(values, scales):
            raise DamagedModelError(f"The table {name!r} of the model is missing or holds what cannot be numbers.")
        return cls(values, scales)


def _are_stored(values: AnyArray, scales: AnyArray | None) -> bool:
    """Return whether `pack` can have made the arrays of a file."""
    if not values.ndim or max(values.shape[1:], default=1) > MOST_DIMENSIONS:
        return False
    if values.dtype in (np.float32, np.float16):
        return scales is None and bool(np.isfinite(values).all())
    if scales is None or values.ndim != 2 or not values.size or values.dtype not in (np.int8, np.uint8):
        return False
    return scales.shape == values.shape[:1] and scales.dtype == np.float32 and bool(np.isfinite(scales).all())


def _scales(steps: FloatArray) -> FloatArray:
    # Never below the smallest normal float: a row of zeros, or nearly so, must not be divided by zero.
    return np.maximum(steps, np.finfo(np.float32).tiny).astype(np.float32)


def _as_float16(matrix: FloatArray) -> AnyArray:
    largest = float(np.abs(matrix).max())
    if largest > LARGEST_FLOAT16:
        raise InputError(
            f"float16 holds numbers up to {LARGEST_FLOAT16:,}, and the vectors have one of {largest:,.0f}; "
            "store them as float32 or int8."
        )
    return matrix.astype(np.float16)


def _as_int4(matrix: FloatArray) -> tuple[AnyArray, FloatArray]:
    """Return numbers from -7 to 7 and scales, each row with the scale of least squared error."""
    largest = np.abs(matrix).max(axis=1)
    # In units of the largest value, so that squares of very large or small rows stay numbers.
    relative, best = matrix / _scales(largest)[:, None], np.full(len(matrix), np.inf)
    numbers, scales = np.zeros(matrix.shape, dtype=np.int8), np.ones(len(matrix), dtype=np.float32)
    for share in INT4_LARGEST:
        tried = _scales(largest * np.float32(share / 7))
        rounded = np.clip(np.rint(matrix / tried[:, None]), -7, 7)
        errors = np.square(rounded * np.float32(share / 7) - relative).sum(axis=1)
        better = errors < best
        numbers[better], scales[better], best[better] = rounded[better], tried[better], errors[better]
    return numbers, scales


def _two_a_byte(numbers: AnyArray) -> AnyArray:
    halves = (numbers + NIBBLE_ZERO).astype(np.uint8)
    if halves.shape[1] % 2:
        halves = np.pad(halves, ((0, 0), (0, 1)))
    return halves[:, ::2] | halves[:, 1::2] << 4
