"""A small pre-norm transformer over the units of a word."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import layer_norm, relu, sinusoids, softmax
from everyword.models.forward.base import GroupedPass


class TransformerPass(GroupedPass):
    """Layers of attention and dense maps over units with positions, the mean over the word, one dense map."""

    OUTPUT = "out"

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        units = self.tables["unit"][ids]
        positions = sinusoids(units.shape[1], units.shape[2]).astype(np.float32)
        stream = units + self.tables["position_gain"] * positions
        for layer in range(self.config["layers"]):
            stream = stream + self._attended(self._normed(stream, f"{layer}.attention_norm"), layer)
            hidden = relu(self._dense(self._normed(stream, f"{layer}.dense_norm"), f"{layer}.widen"))
            stream = stream + self._dense(hidden, f"{layer}.narrow")
        return self._dense(self._normed(stream, "norm").mean(axis=1), "out")

    def _attended(self, stream: FloatArray, layer: int) -> FloatArray:
        words, units, width = stream.shape
        heads = self.config["heads"]
        mixed = self._dense(stream, f"{layer}.query_key_value").reshape(words, units, 3, heads, width // heads)
        query, key, value = mixed.transpose(2, 0, 3, 1, 4)
        weights = softmax(query @ key.transpose(0, 1, 3, 2) / np.float32((width // heads) ** 0.5), axis=3)
        together = (weights @ value).transpose(0, 2, 1, 3).reshape(words, units, width)
        return self._dense(together, f"{layer}.mix")

    def _dense(self, rows: FloatArray, name: str) -> FloatArray:
        result: FloatArray = rows @ self.tables[name] + self.tables[f"{name}_bias"]
        return result

    def _normed(self, rows: FloatArray, name: str) -> FloatArray:
        return layer_norm(rows, self.tables[f"{name}_gain"], self.tables[f"{name}_bias"])
