"""The forward passes of `models/forward` as ONNX graphs over the same tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.forward.arithmetic import LAYER_NORM_EPSILON, kernel_logits
from everyword.plugins.onnx.graph import Graph, PaddedWords


@dataclass(frozen=True)
class Drawing:
    """The parts that the graph of an encoder is built from."""

    graph: Graph
    words: PaddedWords
    tables: Mapping[str, FloatArray]
    config: Mapping[str, Any]
    longest: int
    """The maximum number of units per word."""

    def kernel(self, dim: int) -> str:
        """Return the positional kernel of each word, (words, units, units)."""
        graph = self.graph
        units = graph.apply("Shape", self.words.ids, start=1, end=2)
        logits = graph.constant(kernel_logits(self.longest, dim, self.config["kernel"]))
        start, axes = np.zeros(2, dtype=np.int64), np.arange(2, dtype=np.int64)
        here = graph.apply("Slice", logits, start, graph.apply("Concat", units, units, axis=0), axes)
        return self.words.softmax(here)

    def attention(self, query: str, key: str) -> str:
        """Return how much each unit attends to each other one."""
        return self.words.softmax(self.graph.apply("MatMul", query, self.graph.turned(key)))


def deep_averaging(drawing: Drawing) -> str:
    """Build a mean, dense maps around a rectifier and, with two blocks, the same again on top."""
    graph, tables = drawing.graph, drawing.tables
    means = bag(drawing)
    hidden = graph.chain(means, ("MatMul", tables["inner"]), ("Add", tables["inner_bias"]))
    bent = graph.apply("MatMul", graph.apply("Relu", hidden), tables["outer"])
    straight = graph.chain(means, ("MatMul", tables["straight"]), ("Add", tables["straight_bias"]))
    vectors = graph.apply("Add", bent, straight)
    if "second_inner" not in tables:
        return vectors
    second = graph.apply("Relu", graph.apply("MatMul", vectors, tables["second_inner"]))
    return graph.apply("Add", vectors, graph.apply("MatMul", second, tables["second_outer"]))


def bag(drawing: Drawing) -> str:
    """Build the mean of the unit vectors."""
    graph, words = drawing.graph, drawing.words
    counts = graph.apply("Max", words.squeezed(graph.sum_over(words.inside, 2)), np.float32(1))
    return graph.apply("Div", words.summed(words.rows(drawing.tables["unit"])), counts)


def self_attention(drawing: Drawing) -> str:
    """Build a sum in which each unit is weighted by the attention it receives."""
    graph, words = drawing.graph, drawing.words
    query, key, value = (words.rows(drawing.tables[name]) for name in ("query", "key", "value"))
    received = graph.apply("MatMul", words.inside, drawing.attention(query, key))
    return words.squeezed(graph.apply("MatMul", received, value))


def pam_stacked(drawing: Drawing) -> str:
    """Build attention between units that the positional kernel has smoothed."""
    graph, words = drawing.graph, drawing.words
    kernel = drawing.kernel(drawing.config["width"])
    query, key = (graph.apply("MatMul", kernel, words.rows(drawing.tables[name])) for name in ("query", "key"))
    received = graph.apply("MatMul", words.inside, drawing.attention(query, key))
    weights = graph.apply("MatMul", received, kernel)
    return words.squeezed(graph.apply("MatMul", weights, words.rows(drawing.tables["value"])))


def pam_parallel(drawing: Drawing) -> str:
    """Build attention and positional smoothing side by side."""
    graph, words, tables = drawing.graph, drawing.words, drawing.tables
    attention = drawing.attention(words.rows(tables["query"]), words.rows(tables["key"]))
    attended = graph.apply("MatMul", attention, words.rows(tables["attended"]))
    return _features(drawing, graph.apply("Add", attended, _local(drawing)))


def pam_positional(drawing: Drawing) -> str:
    """Build positional smoothing alone."""
    return _features(drawing, _local(drawing))


def _local(drawing: Drawing) -> str:
    graph, tables = drawing.graph, drawing.tables
    smooth = graph.apply("MatMul", drawing.kernel(tables["unit"].shape[1]), drawing.words.rows(tables["local"]))
    local = graph.apply("Relu", graph.apply("Add", smooth, tables["local_bias"]))
    return graph.apply("MatMul", local, tables["merge"])


def _features(drawing: Drawing, merged: str) -> str:
    graph, words, tables = drawing.graph, drawing.words, drawing.tables
    shifted = graph.apply("Relu", graph.apply("Add", merged, tables["merge_bias"]))
    gain, bias = tables["norm_gain"], tables["norm_bias"]
    normed = graph.apply("LayerNormalization", shifted, gain, bias, epsilon=LAYER_NORM_EPSILON, axis=-1)
    return words.summed(graph.apply("Add", words.rows(tables["unit"]), normed))


ENCODERS: dict[str, Callable[[Drawing], str]] = {
    "dan.v1": deep_averaging,
    "bos.v1": bag,
    "pam-stacked.v1": pam_stacked,
    "pam-parallel.v1": pam_parallel,
    "pam-positional.v1": pam_positional,
    "self-attention.v1": self_attention,
}
"""The encoders that can be exported."""
