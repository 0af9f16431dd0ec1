"""Which items a training draws more often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray
from everyword.errors import InputError


def rare_weights(counts: AnyArray, power: float = -0.5) -> NDArray[np.float64]:
    """Return the probabilities of items that are drawn by a power of their counts; below 0, rare ones are preferred.

    >>> rare_weights(np.array([4, 1])).round(3).tolist()
    [0.333, 0.667]
    """
    sizes = np.maximum(np.asarray(counts, dtype=np.float64), 1.0)
    if not len(sizes) or not np.isfinite(sizes).all():
        raise InputError("Weights need at least one count, and no count may be NaN or infinity.")
    logs = power * np.log(sizes)
    weights = np.exp(logs - logs.max())
    probabilities: NDArray[np.float64] = weights / weights.sum()
    return probabilities
