"""The fixed positional kernel of LOVE's attention: no parameters, only cosines of distances."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray

KernelScale = Literal["root4", "sqrt"]


def sinusoids(length: int, dim: int) -> npt.NDArray[np.float64]:
    """Absolute sinusoidal positions (Vaswani et al. 2017): one row a position, sines then cosines."""
    rates = 10_000.0 ** (-np.arange(0, dim, 2) / dim)
    angles = np.arange(length)[:, None] * rates[None, :]
    return np.concatenate([np.sin(angles), np.cos(angles)[:, : dim // 2]], axis=1)


def kernel_logits(length: int, dim: int, scale: KernelScale) -> FloatArray:
    """P Pᵀ / scale, the logits of Eq. 5.

    The paper prints sqrt(d), which blurs over the whole word; d^0.25, which the public code uses, gives the trigram
    that the paper describes: at d = 300 a position keeps .55 of itself and takes .205 from each neighbour.
    """
    positions = sinusoids(length, dim)
    logits: FloatArray = (positions @ positions.T / (dim**0.25 if scale == "root4" else dim**0.5)).astype(np.float32)
    return logits


def positional_kernel(length: int, dim: int, scale: KernelScale) -> FloatArray:
    """softmax(P Pᵀ / scale) for a word of `length` units; each row sums to one."""
    logits = kernel_logits(length, dim, scale)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    kernel: FloatArray = weights / weights.sum(axis=1, keepdims=True)
    return kernel
