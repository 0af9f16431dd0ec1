"""How large a step is, by how far training has come."""

from __future__ import annotations

import math
from typing import Literal

Schedule = Literal["exponential", "cosine"]

WARM_UP = 0.02
"""Share of all steps in which a cosine schedule rises to the full rate: Adam's first moments are guesses."""
LAST = 0.01
"""What is left of the rate at the end of a cosine schedule."""


def cosine_factor(done: float) -> float:
    """The share of the full rate when a share of all steps is done.

    >>> [round(cosine_factor(done), 2) for done in (0.0, 0.01, 0.02, 0.51, 1.0)]
    [0.0, 0.5, 1.0, 0.51, 0.01]
    """
    if done < WARM_UP:
        return done / WARM_UP
    falling = (done - WARM_UP) / (1 - WARM_UP)
    return LAST + (1 - LAST) * (1 + math.cos(math.pi * falling)) / 2


def linear_factor(done: float, warm_up: float) -> float:
    """The share of the full rate that rises in a straight line over `warm_up` of all steps and then falls to zero.

    >>> [linear_factor(done, 0.5) for done in (0.0, 0.25, 0.5, 0.75, 1.0)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return done / warm_up if done < warm_up else (1 - done) / (1 - warm_up)
