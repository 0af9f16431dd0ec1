"""Two LSTMs over the units of a word, one from each end, and a head."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import relu, sigmoid
from everyword.models.forward.base import GroupedPass


class CharBiLstmPass(GroupedPass):
    """The last state of an LSTM in each direction, mapped to a vector: MIMICK and Stratos's reconstruction."""

    OUTPUT = "out_bias"

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        units = self.tables["unit"][ids]
        states = [self._last_state(units, "forward"), self._last_state(units[:, ::-1], "backward")]
        return self._head(np.concatenate(states, axis=1))

    def _last_state(self, units: FloatArray, direction: str) -> FloatArray:
        tables = self.tables
        inputs = units @ tables[f"{direction}_input"] + tables[f"{direction}_bias"]
        recurrent = tables[f"{direction}_recurrent"]
        state = cell = np.zeros((len(units), len(recurrent)), dtype=np.float32)
        for step in range(units.shape[1]):
            # Torch's order: input, forget, candidate, output.
            admit, keep, candidate, show = np.split(inputs[:, step] + state @ recurrent, 4, axis=1)
            cell = sigmoid(keep) * cell + sigmoid(admit) * np.tanh(candidate)
            state = sigmoid(show) * np.tanh(cell)
        return state

    def _head(self, states: FloatArray) -> FloatArray:
        tables, head = self.tables, self.config["head"]
        plain: FloatArray = states @ tables["out"] + tables["out_bias"]
        if head == "linear":
            return plain
        if head == "mlp":
            bent: FloatArray = np.tanh(plain) @ tables["second"] + tables["second_bias"]
            return bent
        rectified = relu(plain)
        if head == "relu":
            return rectified
        share = sigmoid(rectified @ tables["second"] + tables["second_bias"])
        return share * rectified + (1 - share) * plain
