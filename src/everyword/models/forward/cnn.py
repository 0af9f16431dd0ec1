"""A convolution over unit vectors with the maximum over time."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import relu
from everyword.models.forward.base import GroupedPass
from everyword.text.units import PAD


class CnnPass(GroupedPass):
    """The strongest answer of each filter anywhere in the word, then one dense map."""

    OUTPUT = "out"

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        found = [self._strongest(ids, width) for width in self.config["widths"]]
        vectors: FloatArray = np.concatenate(found, axis=1) @ self.tables["out"] + self.tables["out_bias"]
        return vectors

    def _strongest(self, ids: IndexArray, width: int) -> FloatArray:
        filters = self.tables[f"filters_{width}"]
        if len(filters) != width * self.tables["unit"].shape[1]:
            raise ValueError(f"filters of width {width} have {len(filters)} weights")
        # Padding has the zero vector, so a window over the border sees what the encoder sees there.
        framed = np.pad(ids, ((0, 0), (width // 2, (width - 1) // 2)), constant_values=PAD)
        windows = np.lib.stride_tricks.sliding_window_view(framed, width, axis=1)
        units = self.tables["unit"][windows].reshape(*ids.shape, -1)
        answers = units @ filters + self.tables[f"filters_{width}_bias"]
        strongest: FloatArray = relu(answers).max(axis=1)
        return strongest
