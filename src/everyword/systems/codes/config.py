"""Settings of a speaker, a listener and the channel between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from everyword.config import AtLeast, Count, NonNegative, OpenFraction, Positive

MOST_STRINGS = 10_000_000
"""Strings are numbered, and a permutation of the numbers is kept in memory."""


@dataclass(frozen=True)
class CodesConfig:
    """The language, the channel, the networks and their training. The defaults are the paper's where it has any."""

    concepts: Count = 6
    """Concepts in a string."""
    values: Annotated[int, AtLeast(2)] = 10
    """Values of each concept; all combinations are strings of the language."""
    bits: Count = 24
    """The length of a message."""
    hidden: Count = 64
    """Units of each of the two LSTMs."""
    embedding: Count = 32
    """The length of the vector of a value, in the speaker."""
    bit_embedding: Count = 8
    """The length of the vector of a bit, in the listener."""
    beta: NonNegative = 0.01
    """How much messages are drawn to the prior. At 1 it is as good to send nothing as to send everything."""
    train_share: OpenFraction = 0.1
    """The share of all strings that are trained on."""
    steps: Count = 20_000
    batch: Count = 256
    """Strings per step."""
    learning_rate: Positive = 1e-3
    """At the beginning; it falls linearly to zero in the second half of the training."""
    temperature: Positive = 1.0
    """Of the relaxed bits, at the beginning; it is learnt."""
    seed: int = 0

    @property
    def strings(self) -> int:
        """The number of all strings."""
        return int(self.values**self.concepts)

    @property
    def symbols(self) -> int:
        """The size of the alphabet: every concept has symbols of its own."""
        return self.concepts * self.values

    def problems(self) -> Iterator[str]:
        """Yield a message if the language is too large, or too small to be divided."""
        if self.concepts > 24 or self.strings > MOST_STRINGS:
            yield f"values to the power of concepts must be at most {MOST_STRINGS:,}"
        elif not 0 < round(self.train_share * self.strings) < self.strings:
            yield f"of {self.strings} strings, train_share must leave one or more to train on and one or more to test"
