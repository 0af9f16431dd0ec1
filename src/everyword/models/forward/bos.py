"""A word as the mean of its unit vectors."""

from __future__ import annotations

from everyword.arrays import FloatArray
from everyword.models.forward.bag import Bag


class BagOfSubstrings(Bag):
    """The mean of the unit vectors, repeats counted: a linear model of the spelling."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["unit"].shape[1])

    def of_means(self, means: FloatArray) -> FloatArray:
        """The means themselves."""
        return means
