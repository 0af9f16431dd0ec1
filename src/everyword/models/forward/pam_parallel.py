"""The parallel positional attention module of LOVE's public code on folded tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import layer_norm, relu, softmax
from everyword.models.forward.base import GroupedPass
from everyword.models.forward.positions import positional_kernel


class PamParallel(GroupedPass):
    """Attention and positional smoothing of gathered rows, then one dense map a position."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["unit"].shape[1])

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        tables = self.tables
        kernel = self.positional_weights(ids.shape[1])
        attention = self._attention(ids)
        local = relu(kernel @ tables["local"][ids] + tables["local_bias"])
        merged = attention @ tables["attended"][ids] + local @ tables["merge"] + tables["merge_bias"]
        features = tables["unit"][ids] + layer_norm(relu(merged), tables["norm_gain"], tables["norm_bias"])
        vectors: FloatArray = features.sum(axis=1)
        return vectors

    def _attention(self, ids: IndexArray) -> FloatArray:
        return softmax(self.tables["query"][ids] @ self.tables["key"][ids].transpose(0, 2, 1), axis=2)

    def positional_weights(self, length: int) -> FloatArray:
        """The kernel beside the attention."""
        return positional_kernel(length, self.dim, self.config["kernel"])

    def attention_weights(self, ids: Sequence[int]) -> FloatArray:
        """The softmax over keys."""
        weights: FloatArray = self._attention(np.array([ids]))[0]
        return weights
