"""A word as the mean of its unit vectors, then one or two hidden layers."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.forward.bag import Bag


class DeepAveraging(Bag):
    """Mean, dense maps around a rectifier, and with two blocks the same once more on top."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["straight"].shape[1])

    def of_means(self, means: FloatArray) -> FloatArray:
        """The dense maps."""
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
