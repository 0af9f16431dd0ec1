"""Plain self-attention without positions, on folded tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import softmax
from everyword.models.forward.base import GroupedPass
from everyword.models.forward.pam_stacked import attention_received


class SelfAttention(GroupedPass):
    """Three gathers, a small attention and a weighted sum: a word is a bag of units."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["value"].shape[1])

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        query, key, value = (self.tables[name][ids] for name in ("query", "key", "value"))
        weights = attention_received(query @ key.transpose(0, 2, 1))
        vectors: FloatArray = np.matmul(weights[:, None, :], value)[:, 0]
        return vectors

    def attention_weights(self, ids: Sequence[int]) -> FloatArray:
        """The softmax over keys."""
        query, key = (self.tables[name][np.array(ids)] for name in ("query", "key"))
        return softmax(query @ key.T, axis=1)
