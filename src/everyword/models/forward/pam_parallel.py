"""The parallel positional attention module of LOVE's public code on folded tables."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.base import ForwardPass
from everyword.models.forward.positions import positional_kernel


class PamParallel(ForwardPass):
    """Attention and positional smoothing of gathered rows, then one dense map a position."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["unit"].shape[1])

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        tables = self.tables
        kernel = positional_kernel(ids.shape[1], self.dim, self.config["kernel"])
        scores = tables["query"][ids] @ tables["key"][ids].transpose(0, 2, 1)
        attention = np.exp(scores - scores.max(axis=2, keepdims=True))
        attention /= attention.sum(axis=2, keepdims=True)
        local = np.maximum(kernel @ tables["local"][ids] + tables["local_bias"], 0)
        merged = attention @ tables["attended"][ids] + local @ tables["merge"] + tables["merge_bias"]
        features = tables["unit"][ids] + self._normed(np.maximum(merged, 0))
        vectors: FloatArray = features.sum(axis=1)
        return vectors

    def _normed(self, rows: FloatArray) -> FloatArray:
        centred = rows - rows.mean(axis=2, keepdims=True)
        deviation = np.sqrt(np.square(centred).mean(axis=2, keepdims=True) + 1e-6)
        normed: FloatArray = centred / deviation * self.tables["norm_gain"] + self.tables["norm_bias"]
        return normed
