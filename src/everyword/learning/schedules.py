"""Schedules of the learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

LearningRate = Callable[[int, int, int], float]
"""The learning rate of a step, from the epoch, the step in it (both from 0) and the number of steps of the epoch."""
Schedule = Literal["exponential", "cosine"]

WARM_UP = 0.02
"""Share of all steps in which a cosine schedule rises to the full rate: Adam's first moments are guesses."""
LAST = 0.01
"""What is left of the rate at the end of a cosine schedule."""


def cosine_factor(done: float) -> float:
    """Return the share of the full rate when a share of all steps is done.

    >>> [round(cosine_factor(done), 2) for done in (0.0, 0.01, 0.02, 0.51, 1.0)]
    [0.0, 0.5, 1.0, 0.51, 0.01]
    """
    if done < WARM_UP:
        return done / WARM_UP
    falling = (done - WARM_UP) / (1 - WARM_UP)
    return LAST + (1 - LAST) * (1 + math.cos(math.pi * falling)) / 2


def linear_factor(done: float, warm_up: float) -> float:
    """Return a share of the full rate that rises linearly over `warm_up` of all steps and then falls to zero.

    >>> [linear_factor(done, 0.5) for done in (0.0, 0.25, 0.5, 0.75, 1.0)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return done / warm_up if done < warm_up else (1 - done) / (1 - warm_up)


def linear_schedule(rate: float, epochs: int, warm_up: float) -> LearningRate:
    """Return a schedule that rises to a rate and falls again; neither the first step nor the last one has rate zero."""

    def at(epoch: int, step: int, steps: int) -> float:
        return rate * linear_factor((epoch * steps + step + 1) / (epochs * steps + 1), warm_up)

    return at


def slanted_triangular(rate: float, epochs: int, cut: float = 0.1, ratio: float = 32.0) -> LearningRate:
    """Return a schedule that rises linearly for the first steps and falls for all others (Howard and Ruder, 2018).

    Args:
        rate: The highest rate.
        epochs: How many epochs the training has.
        cut: The share of all steps in which the rate rises.
        ratio: How much lower than the highest rate the lowest one is.

    >>> at = slanted_triangular(32.0, epochs=1)
    >>> [round(at(0, step, 100), 3) for step in (0, 5, 10, 55, 100)]
    [1.0, 16.5, 32.0, 16.5, 1.0]
    """

    def at(epoch: int, step: int, steps: int) -> float:
        done = (epoch + step / max(steps, 1)) / epochs
        height = done / cut if done < cut else 1 - (done - cut) / (1 - cut)
        return rate * (1 + height * (ratio - 1)) / ratio

    return at


Fall = Literal["decay", "cosine"]


def falling(rate: float, epochs: int, how: Fall, decay: float = 0.0) -> LearningRate:
    """Return a schedule that falls from a rate: over all epochs by a cosine, or by division by 1 + decay · epoch."""

    def at(epoch: int, step: int, steps: int) -> float:
        if how == "cosine":
            return rate * cosine_factor((epoch * steps + step + 1) / (epochs * steps + 1))
        return rate / (1 + decay * epoch)

    return at
