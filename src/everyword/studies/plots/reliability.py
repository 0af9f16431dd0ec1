"""Confidence against truth: dots on the diagonal mean what they say."""

from __future__ import annotations

from collections.abc import Mapping

from everyword.errors import InputError
from everyword.evaluation.calibration import Calibration
from everyword.studies.plots.picture import COLOURS, GREY, MARKERS, Frame, picture


def draw(kinds: Mapping[str, Calibration], frame: Frame) -> None:
    """One line for each kind of word; the larger a dot, the more words have such a confidence."""
    if not kinds:
        raise InputError("There is nothing to draw: no kind of words was calibrated.")
    errors = "; ".join(f"{name} {kind.error:.3f}" for name, kind in kinds.items())
    caption = f"Expected calibration error: {errors}. The area of a dot is the share of the words."
    title = "What a confidence is worth"
    with picture(frame, title=title, caption=caption, size=(5.2, 5.2)) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle=":")
        for place, (name, kind) in enumerate(kinds.items()):
            words = sum(part.words for part in kind.bins)
            at = [part.confidence for part in kind.bins]
            true = [part.cosine for part in kind.bins]
            sizes = [20 + 600 * part.words / words for part in kind.bins]
            colour = COLOURS[place % len(COLOURS)]
            axes.plot(at, true, color=colour, linewidth=1)
            axes.scatter(at, true, sizes, color=colour, marker=MARKERS[place], alpha=0.7, label=name)
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="confidence", ylabel="mean cosine to the true vector")
        axes.legend(loc="upper left", markerscale=0.5)
