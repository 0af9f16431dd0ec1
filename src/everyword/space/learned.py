"""What a fit finds, and how it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.moments import DoubleArray

Arrays = Mapping[str, FloatArray]


class Learned(NamedTuple):
    """What a fit found: the arrays that the work is done with, and facts worth telling."""

    arrays: dict[str, FloatArray]
    facts: dict[str, float]


def single(array: DoubleArray) -> FloatArray:
    """As it is kept and multiplied with."""
    return np.ascontiguousarray(array, dtype=np.float32)
