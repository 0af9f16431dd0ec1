"""Whether a confidence means what it says: of words with a confidence of 0.8, the mean cosine should be 0.8."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Words whose confidence lies in one interval."""

    words: int
    confidence: float
    """Their mean."""
    cosine: float
    """The mean of what it should have told."""


@dataclass(frozen=True)
class Calibration:
    """Confidence against truth, interval by interval."""

    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: the gap between the two means, weighted by the number of words."""
        words = sum(part.words for part in self.bins)
        return sum(part.words * abs(part.confidence - part.cosine) for part in self.bins) / words


def calibration(confidence: FloatArray, cosines: FloatArray) -> Calibration:
    """Compare confidences between 0 and 1 with the cosines that they foretold.

    >>> round(calibration(np.array([0.2, 0.9, 0.9]), np.array([0.3, 1.0, 0.9])).error, 3)
    0.067
    """
    if len(confidence) != len(cosines) or not len(confidence):
        raise InputError(f"One cosine is needed for each confidence. Got {len(cosines)} for {len(confidence)}.")
    place = np.minimum((np.asarray(confidence) * BINS).astype(np.int64), BINS - 1)
    bins = (
        Bin(int(inside.sum()), float(confidence[inside].mean()), float(cosines[inside].mean()))
        for inside in (place == number for number in range(BINS))
        if inside.any()
    )
    return Calibration(tuple(bins))
