"""A graph of ONNX operators, written as one writes arithmetic."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from everyword.arrays import AnyArray
from everyword.extras import require

PURPOSE = "Exporting a model as ONNX"
OPSET, IR_VERSION = 17, 8
"""Of 2022, so that older runtimes can read the file; the first with layer normalisation."""
OTHER_WORDS = np.float32(-1e9)
"""Added to the score of padding, so that a softmax gives it no weight."""


Operand: TypeAlias = str | AnyArray | np.generic
"""The name of a value, or an array or number that becomes a constant."""


class Graph:
    """ONNX operators from the input `ids` on; each result has a name."""

    def __init__(self) -> None:
        self._onnx: Any = require("onnx", PURPOSE)
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, array: AnyArray | np.generic) -> str:
        """Add an array to the file and return its name."""
        name = f"constant_{len(self._constants)}"
        self._constants.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def apply(self, operator: str, *inputs: Operand, **attributes: Any) -> str:
        """Add an operator and return the name of its result."""
        name = f"value_{len(self._nodes)}"
        named = [value if isinstance(value, str) else self.constant(value) for value in inputs]
        self._nodes.append(self._onnx.helper.make_node(operator, named, [name], **attributes))
        return name

    def chain(self, first: str, *steps: tuple[str, AnyArray]) -> str:
        """Apply several operators to a value, one after the other, each with an array."""
        for operator, array in steps:
            first = self.apply(operator, first, array)
        return first

    def sum_over(self, value: str, axis: int) -> str:
        """Sum along an axis, which stays with length 1."""
        return self.apply("ReduceSum", value, np.array([axis], dtype=np.int64), keepdims=1)

    def turned(self, value: str) -> str:
        """Swap the last two of three axes."""
        return self.apply("Transpose", value, perm=[0, 2, 1])

    def model(self, vectors: str, dim: int, metadata: dict[str, str]) -> bytes:
        """Return the content of the file: `ids` (words, units) → `vectors` (words, dim)."""
        make, kinds = self._onnx.helper, self._onnx.TensorProto
        self._nodes.append(make.make_node("Identity", [vectors], ["vectors"]))
        graph = make.make_graph(
            self._nodes,
            "everyword",
            [make.make_tensor_value_info("ids", kinds.INT64, ["words", "units"])],
            [make.make_tensor_value_info("vectors", kinds.FLOAT, ["words", dim])],
            initializer=self._constants,
        )
        opsets = [make.make_opsetid("", OPSET)]
        model = make.make_model(graph, producer_name="everyword", ir_version=IR_VERSION, opset_imports=opsets)
        make.set_model_props(model, metadata)
        self._onnx.checker.check_model(model, full_check=True)
        content: bytes = model.SerializeToString()
        return content


class PaddedWords:
    """The input of a graph: words as rows of unit ids, padded with 0."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.ids = "ids"
        inside = graph.apply("Cast", graph.apply("Greater", self.ids, np.array(0, dtype=np.int64)), to=1)
        self.inside = graph.apply("Unsqueeze", inside, np.array([1], dtype=np.int64))
        """1 at units and 0 at padding, (words, 1, units)."""
        outside = graph.apply("Sub", np.float32(1), self.inside)
        self.bar = graph.apply("Mul", outside, OTHER_WORDS)
        """A large negative number at padding, which keeps a softmax away from it."""

    def rows(self, table: AnyArray) -> str:
        """Return the row of each unit, (words, units, width)."""
        return self.graph.apply("Gather", table, self.ids)

    def softmax(self, scores: str) -> str:
        """Return weights that sum to one over the units of a word."""
        return self.graph.apply("Softmax", self.graph.apply("Add", scores, self.bar), axis=2)

    def summed(self, rows: str) -> str:
        """Sum over the units of a word: (words, units, width) → (words, width)."""
        return self.squeezed(self.graph.apply("MatMul", self.inside, rows))

    def squeezed(self, rows: str) -> str:
        """(words, 1, width) → (words, width)."""
        return self.graph.apply("Squeeze", rows, np.array([1], dtype=np.int64))
