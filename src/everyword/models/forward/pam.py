"""Attention over the units of a word on folded tables: LOVE's positional attention modules and plain self-attention.

Everything before the softmax is linear in the unit, so queries, keys and projected values are look-ups. In the stacked
module (Eq. 4 and 5 of LOVE) the kernel mixes positions and commutes with those projections; and since the word vector
is a sum, the kernel is applied to the attention weights, n numbers, rather than to the values, n vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, FloatArray, IndexArray
from everyword.models.forward.arithmetic import layer_norm, positional_kernel, relu, softmax
from everyword.models.forward.base import GroupedPass


class PamStackedPass(GroupedPass):
    """The stacked module: two gathers, a small attention and a weighted sum."""

    OUTPUT = "value"

    def __init__(self, tables: Mapping[str, FloatArray], config: Mapping[str, Any]) -> None:
        super().__init__(tables, config)
        if not 1 <= config["width"] <= MOST_DIMENSIONS:
            raise ValueError(f"a width of {config['width']}")
        self._kernels: dict[int, FloatArray] = {}

    @cached_property
    def _query_and_key(self) -> FloatArray:
        return np.concatenate([self.tables["query"], self.tables["key"]], axis=1)

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        # Queries sum over the kernel's rows: how much each unit counts, seen through the smoothing.
        weights = attention_received(self._scores(ids)) @ self.positional_weights(ids.shape[1])
        vectors: FloatArray = np.matmul(weights[:, None, :], self.tables["value"][ids])[:, 0]
        return vectors

    def _scores(self, ids: IndexArray) -> FloatArray:
        """Return the product of each unit's query with each unit's key, both smoothed."""
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
        if length not in self._kernels:
            self._kernels[length] = positional_kernel(length, self.config["width"], self.config["kernel"])
        return self._kernels[length]

    def attention_weights(self, ids: Sequence[int]) -> FloatArray:
        # The softmax of Eq. 4, over what the kernel has smoothed.
        weights: FloatArray = softmax(self._scores(np.array([ids])), axis=2)[0]
        return weights


class SelfAttentionPass(GroupedPass):
    """Three gathers, a small attention and a weighted sum: a word is a bag of units."""

    OUTPUT = "value"

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        query, key, value = (self.tables[name][ids] for name in ("query", "key", "value"))
        weights = attention_received(query @ key.transpose(0, 2, 1))
        vectors: FloatArray = np.matmul(weights[:, None, :], value)[:, 0]
        return vectors

    def attention_weights(self, ids: Sequence[int]) -> FloatArray:
        query, key = (self.tables[name][np.array(ids)] for name in ("query", "key"))
        return softmax(query @ key.T, axis=1)


def attention_received(scores: FloatArray) -> FloatArray:
    """Return the softmax over keys, summed over queries: how much each unit counts in the word."""
    scores -= scores.max(axis=2, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=2, keepdims=True)
    received: FloatArray = scores.sum(axis=1)
    return received


class PamPositionalPass(GroupedPass):
    """The positional branch alone: fixed smoothing of gathered rows, then one dense map per position."""

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        tables = self.tables
        kernel = self.positional_weights(ids.shape[1])
        local = relu(kernel @ tables["local"][ids] + tables["local_bias"])
        merged = relu(self._merged(ids, local))
        features = tables["unit"][ids] + layer_norm(merged, tables["norm_gain"], tables["norm_bias"])
        vectors: FloatArray = features.sum(axis=1)
        return vectors

    def _merged(self, ids: IndexArray, local: FloatArray) -> FloatArray:
        merged: FloatArray = local @ self.tables["merge"] + self.tables["merge_bias"]
        return merged

    def positional_weights(self, length: int) -> FloatArray:
        return positional_kernel(length, self.dim, self.config["kernel"])


class PamParallelPass(PamPositionalPass):
    """The parallel module of LOVE's public code: attention and positional smoothing of gathered rows side by side."""

    def _merged(self, ids: IndexArray, local: FloatArray) -> FloatArray:
        tables = self.tables
        merged: FloatArray = (
            self._attention(ids) @ tables["attended"][ids] + local @ tables["merge"] + tables["merge_bias"]
        )
        return merged

    def _attention(self, ids: IndexArray) -> FloatArray:
        return softmax(self.tables["query"][ids] @ self.tables["key"][ids].transpose(0, 2, 1), axis=2)

    def attention_weights(self, ids: Sequence[int]) -> FloatArray:
        weights: FloatArray = self._attention(np.array([ids]))[0]
        return weights
