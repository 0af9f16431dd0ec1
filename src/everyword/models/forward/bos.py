"""A word as the mean of its unit vectors."""

from __future__ import annotations

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.base import ForwardPass


class BagOfSubstrings(ForwardPass):
    """The mean of the unit vectors, repeats counted: a linear model of the spelling."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["unit"].shape[1])

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        vectors: FloatArray = self.tables["unit"][ids].mean(axis=1)
        return vectors
