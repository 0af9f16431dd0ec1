"""A word as the mean of its unit vectors, then one or two hidden layers."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.base import ForwardPass


class DeepAveraging(ForwardPass):
    """Mean, dense maps around a rectifier, and with two blocks the same once more on top."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["straight"].shape[1])

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        return self._bend(self.tables["unit"][ids].mean(axis=1))

    def _bend(self, means: FloatArray) -> FloatArray:
        tables = self.tables
        hidden: FloatArray = means @ tables["inner"]
        hidden += tables["inner_bias"]
        vectors: FloatArray = _rectified(hidden) @ tables["outer"]
        vectors += means @ tables["straight"]
        vectors += tables["straight_bias"]
        if "second_inner" in tables:
            vectors += _rectified(vectors @ tables["second_inner"]) @ tables["second_outer"]
        return vectors


def _rectified(values: FloatArray) -> FloatArray:
    return np.maximum(values, 0, out=values)
