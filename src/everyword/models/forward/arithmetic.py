"""Arithmetic that forward passes and their twins in torch share, with the fixed positional kernel of LOVE."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray

LAYER_NORM_EPSILON = 1e-6

KernelScale = Literal["root4", "sqrt"]


def softmax(scores: FloatArray, axis: int) -> FloatArray:
    """Return weights that sum to one along an axis."""
    weights: FloatArray = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights /= weights.sum(axis=axis, keepdims=True)
    return weights


def sigmoid(values: FloatArray) -> FloatArray:
    """Return the logistic function, computed by tanh, which never overflows."""
    result: FloatArray = 0.5 + 0.5 * np.tanh(0.5 * values)
    return result


def relu(values: FloatArray) -> FloatArray:
    """Return values with all negative ones set to zero."""
    return np.maximum(values, 0)


def layer_norm(rows: FloatArray, gain: FloatArray, bias: FloatArray) -> FloatArray:
    """Return rows along the last axis with mean zero and variance one, then scaled and shifted."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
    normed: FloatArray = centred / deviation * gain + bias
    return normed


def sinusoids(length: int, dim: int) -> npt.NDArray[np.float64]:
    """Return absolute sinusoidal positions (Vaswani et al. 2017): one row per position, sines then cosines."""
    rates = 10_000.0 ** (-np.arange(0, dim, 2) / dim)
    angles = np.arange(length)[:, None] * rates[None, :]
    return np.concatenate([np.sin(angles), np.cos(angles)[:, : dim // 2]], axis=1)


def kernel_logits(length: int, dim: int, scale: KernelScale) -> FloatArray:
    """Return P Pᵀ / scale, the logits of Eq. 5 of LOVE.

    The paper prints sqrt(d), which blurs over the whole word; d^0.25, which the public code uses, gives the trigram
    that the paper describes: at d = 300 a position keeps .55 of itself and takes .205 from each neighbour.
    """
    positions = sinusoids(length, dim)
    logits: FloatArray = (positions @ positions.T / (dim**0.25 if scale == "root4" else dim**0.5)).astype(np.float32)
    return logits


def positional_kernel(length: int, dim: int, scale: KernelScale) -> FloatArray:
    """Return softmax(P Pᵀ / scale) for a word of `length` units; each row sums to one."""
    logits = kernel_logits(length, dim, scale)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    kernel: FloatArray = weights / weights.sum(axis=1, keepdims=True)
    return kernel
