"""Settings of a system that learns inference, and semantic roles beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from everyword.config import Count, Natural, OpenFraction, Positive

Tasks = Literal["none", "proportional", "uniform", "annealed"]
"""How often semantic roles come between the pairs: never, or as `everyword.learning.multitask` says."""
Reader = Literal["lstm", "average"]


@dataclass(frozen=True)
class InferenceConfig:
    """The encoder over word vectors, if there is no transformer, and the training."""

    roles: Tasks = "proportional"
    reader: Reader = "lstm"
    """What reads word vectors: a bidirectional LSTM, or nothing but their average, which knows no order."""
    hidden: Count = 256
    """Units of each direction."""
    dropout: OpenFraction = 0.2
    """Of word vectors and of what the heads read."""
    epochs: Count = 8
    """How often the pairs are seen; the epoch that is best on dev is kept."""
    batch: Count = 256
    rate: Positive = 2e-3
    """The highest learning rate: it rises for a tenth of the steps and falls for all others."""
    clip: Positive = 5.0
    longest: Count = 100
    """Words, or pieces of words, of a text that are read; of a transformer, of both texts together."""
    seed: Natural = 0
