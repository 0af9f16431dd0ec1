"""Calibration: words with a confidence of 0.8 should have a mean cosine of 0.8 with their true vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError

BINS = 10


@dataclass(frozen=True)
class Bin:
    """The words whose confidence is in one interval."""

    words: int
    confidence: float
    """The mean confidence."""
    cosine: float
    """The mean cosine, which the confidence predicts."""


@dataclass(frozen=True)
class Calibration:
    """Confidence and cosine in each interval."""

    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: the difference of the two means, weighted by the number of words."""
        words = sum(part.words for part in self.bins)
        return sum(part.words * abs(part.confidence - part.cosine) for part in self.bins) / words


def calibration(confidence: FloatArray, cosines: FloatArray) -> Calibration:
    """Compare confidences between 0 and 1 with the cosines that they predicted.

    >>> round(calibration(np.array([0.2, 0.9, 0.9]), np.array([0.3, 1.0, 0.9])).error, 3)
    0.067
    """
    if len(confidence) != len(cosines) or not len(confidence):
        raise InputError(f"One cosine is needed for each confidence. Got {len(cosines)} for {len(confidence)}.")
    index = np.minimum((np.asarray(confidence) * BINS).astype(np.int64), BINS - 1)
    bins = (
        Bin(int(inside.sum()), float(confidence[inside].mean()), float(cosines[inside].mean()))
        for inside in (index == number for number in range(BINS))
        if inside.any()
    )
    return Calibration(tuple(bins))
