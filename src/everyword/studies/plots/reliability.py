"""Calibration of a confidence: of words with a confidence of 0.8, the mean cosine to the true vector should be 0.8."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.studies.plots.picture import COLOURS, GREY, MARKERS, Frame, picture

BINS = 10


@dataclass(frozen=True)
class Bin:
    """The words whose confidence falls into one interval, with the means of their confidences and cosines."""

    words: int
    confidence: float
    cosine: float


@dataclass(frozen=True)
class Calibration:
    """Confidence against truth, interval by interval."""

    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: the gap between the two means, weighted by the number of words."""
        words = sum(part.words for part in self.bins)
        return sum(part.words * abs(part.confidence - part.cosine) for part in self.bins) / words


def calibrate(confidences: FloatArray, cosines: FloatArray) -> Calibration:
    """Compare confidences between 0 and 1 with the cosines that they predicted.

    >>> round(calibrate(np.array([0.2, 0.9, 0.9]), np.array([0.3, 1.0, 0.9])).error, 3)
    0.067
    """
    if len(confidences) != len(cosines) or not len(confidences):
        raise InputError(f"One cosine is needed for each confidence. Got {len(cosines)} for {len(confidences)}.")
    bin_of = np.minimum((np.asarray(confidences) * BINS).astype(np.int64), BINS - 1)
    bins = (
        Bin(int(inside.sum()), float(confidences[inside].mean()), float(cosines[inside].mean()))
        for inside in (bin_of == number for number in range(BINS))
        if inside.any()
    )
    return Calibration(tuple(bins))


def draw_reliability(kinds: Mapping[str, Calibration], frame: Frame) -> None:
    """Draw a line for each kind of word; the larger a dot, the more words have that confidence."""
    if not kinds:
        raise InputError("There is nothing to draw: no kind of words was calibrated.")
    errors = "; ".join(f"{name} {kind.error:.3f}" for name, kind in kinds.items())
    caption = f"Expected calibration error: {errors}. The area of a dot is the share of the words."
    with picture(frame, title="What a confidence is worth", caption=caption, size=(5.2, 5.2)) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle=":")
        for index, (name, kind) in enumerate(kinds.items()):
            words = sum(part.words for part in kind.bins)
            confidences, cosines = [part.confidence for part in kind.bins], [part.cosine for part in kind.bins]
            sizes = [20 + 600 * part.words / words for part in kind.bins]
            colour = COLOURS[index % len(COLOURS)]
            axes.plot(confidences, cosines, color=colour, linewidth=1)
            axes.scatter(confidences, cosines, sizes, color=colour, marker=MARKERS[index], alpha=0.7, label=name)
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="confidence", ylabel="mean cosine to the true vector")
        axes.legend(loc="upper left", markerscale=0.5)
