"""The positional branch alone of LOVE's attention module, on folded tables."""

from __future__ import annotations

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import layer_norm, relu
from everyword.models.forward.base import GroupedPass
from everyword.models.forward.positions import positional_kernel


class PamPositional(GroupedPass):
    """Fixed positional smoothing of gathered rows, then one dense map a position."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.tables["unit"].shape[1])

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        """Vectors of words that all have the same number of units."""
        tables = self.tables
        kernel = self.positional_weights(ids.shape[1])
        local = relu(kernel @ tables["local"][ids] + tables["local_bias"])
        merged = relu(local @ tables["merge"] + tables["merge_bias"])
        features = tables["unit"][ids] + layer_norm(merged, tables["norm_gain"], tables["norm_bias"])
        vectors: FloatArray = features.sum(axis=1)
        return vectors

    def positional_weights(self, length: int) -> FloatArray:
        """The kernel."""
        return positional_kernel(length, self.dim, self.config["kernel"])
