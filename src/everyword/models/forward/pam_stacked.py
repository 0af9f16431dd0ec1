"""The stacked positional attention module (Eq. 4 and 5 of LOVE) on folded tables.

Everything before the softmax is linear in the unit, so queries, keys and projected values are look-ups. The kernel
mixes positions and commutes with those projections; and since the word vector is a sum, the kernel is applied to the
attention weights, n numbers, rather than to the values, n vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, FloatArray, IndexArray
from everyword.models.forward.arithmetic import softmax
from everyword.models.forward.base import GroupedPass
from everyword.models.forward.positions import positional_kernel


class PamStacked(GroupedPass):
    """Two gathers, a small attention and a weighted sum."""

    def __init__(self, tables: Mapping[str, FloatArray], config: Mapping[str, Any]) -> None:
        super().__init__(tables, config)
        if not 1 <= config["width"] <= MOST_DIMENSIONS:
            raise ValueError(f"a width of {config['width']}")
        self._kernels: dict[int, FloatArray] = {}

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["value"].shape[1])

    @cached_property
    def _query_and_key(self) -> FloatArray:
        return np.concatenate([self.tables["query"], self.tables["key"]], axis=1)

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        # Queries sum over the kernel's rows: how much each unit counts, seen through the smoothing.
        weights = attention_received(self._scores(ids)) @ self.positional_weights(ids.shape[1])
        vectors: FloatArray = np.matmul(weights[:, None, :], self.tables["value"][ids])[:, 0]
        return vectors

    def _scores(self, ids: IndexArray) -> FloatArray:
        """What each unit's query has in common with each unit's key, both smoothed."""
        words, units = ids.shape
        kernel = self.positional_weights(units)
        # Units first, so that smoothing the whole chunk is one product of (units, units) with (units, everything).
        gathered = self._query_and_key[ids.T]
        smooth = (kernel @ gathered.reshape(units, -1)).reshape(units, words, -1)
        half = smooth.shape[2] // 2
        query, key = smooth[:, :, :half], smooth[:, :, half:]
        scores: FloatArray = query.transpose(1, 0, 2) @ key.transpose(1, 2, 0)
        return scores

    def positional_weights(self, length: int) -> FloatArray:
        """The kernel of Eq. 5."""
        if length not in self._kernels:
            self._kernels[length] = positional_kernel(length, self.config["width"], self.config["kernel"])
        return self._kernels[length]

    def attention_weights(self, ids: Sequence[int]) -> FloatArray:
        """The softmax of Eq. 4, over what the kernel has smoothed."""
        weights: FloatArray = softmax(self._scores(np.array([ids])), axis=2)[0]
        return weights


def attention_received(scores: FloatArray) -> FloatArray:
    """Softmax over keys, summed over queries: how much each unit counts in the word."""
    scores -= scores.max(axis=2, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=2, keepdims=True)
    received: FloatArray = scores.sum(axis=1)
    return received
