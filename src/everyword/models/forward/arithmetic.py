"""The few functions that forward passes share."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray

LAYER_NORM_EPSILON = 1e-6


def softmax(scores: FloatArray, axis: int) -> FloatArray:
    """Weights that sum to one along an axis."""
    weights: FloatArray = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights /= weights.sum(axis=axis, keepdims=True)
    return weights


def sigmoid(values: FloatArray) -> FloatArray:
    """The logistic function, by way of tanh, which never overflows."""
    result: FloatArray = 0.5 + 0.5 * np.tanh(0.5 * values)
    return result


def relu(values: FloatArray) -> FloatArray:
    """What is above zero."""
    return np.maximum(values, 0)


def layer_norm(rows: FloatArray, gain: FloatArray, bias: FloatArray) -> FloatArray:
    """Rows along the last axis with mean zero and variance one, then stretched and shifted."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
    normed: FloatArray = centred / deviation * gain + bias
    return normed
