"""Mean average precision of rankings, such as of the attributes of words."""

from __future__ import annotations

import numpy as np

from everyword.arrays import BoolArray, FloatArray


def mean_average_precision(scores: FloatArray, right: BoolArray) -> float:
    """Return the mean over rows of the average precision at each right item, from 0 to 1.

    Args:
        scores: The score of each item, (rows, items); the highest is ranked first.
        right: Which items are right; rows without any do not count.

    >>> float(mean_average_precision(np.array([[0.9, 0.1, 0.5]]), np.array([[True, False, True]])))
    1.0
    """
    asked = right.any(axis=1)
    if not asked.any():
        return 0.0
    order = np.argsort(-scores[asked], axis=1, kind="stable")
    hits = np.take_along_axis(right[asked], order, axis=1)
    precision = hits.cumsum(axis=1) / np.arange(1, hits.shape[1] + 1)
    return float(((precision * hits).sum(axis=1) / hits.sum(axis=1)).mean())
