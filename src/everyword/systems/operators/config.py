"""Settings of a training on paraphrases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from everyword.config import Count, Fraction, Natural, NonNegative, Positive

Method = Literal["operators", "mapped", "average", "lstm", "lstm-gaussian"]
GAUSSIAN = ("operators", "mapped", "lstm-gaussian")
"""Methods that make a Gaussian of a text; the others make a vector."""
MARGINS = {True: 1.0, False: 0.4}
"""The paper's margins, for Gaussians and for cosines."""


@dataclass(frozen=True)
class OperatorsConfig:
    """Size and training of a network that reads texts."""

    method: Method = "operators"
    """A scale and shift per word (operators), the same as linear maps of a model's word vectors (mapped), the mean of
    word vectors (average), the mean of the states of an LSTM (lstm), or a Gaussian made of it (lstm-gaussian)."""
    dim: Count = 50
    """The length of word vectors, and of the scales and shifts."""
    hidden: Count = 100
    """The width of the LSTM, and of the Gaussian made of it."""
    epochs: Count = 10
    batch: Count = 100
    """Pairs per step."""
    mega_batch: Count = 20
    """Steps whose texts are searched together for the most similar ones, which are the negatives."""
    margin: NonNegative | None = None
    """By default 1 for Gaussians and 0.4 for cosines."""
    scramble: Fraction = 0.4
    """The share of texts whose words are shuffled; the mean of word vectors does not see it."""
    learning_rate: Positive = 1e-3
    prior: NonNegative = 1e-3
    """How much the words of Gaussians are drawn to N(0, I), or the word vectors of the others to zero."""
    min_count: Count = 2
    """Rarer words share the operator of unknown words."""
    longest: Count = 60
    """Longer texts are cut."""
    words: Natural = 50_000
    """How many frequent words of the model also get operators, if they are maps of its vectors."""
    seed: int = 0

    @property
    def is_gaussian(self) -> bool:
        """Whether texts become Gaussians."""
        return self.method in GAUSSIAN

    @property
    def used_margin(self) -> float:
        """The margin, or the paper's if none is given."""
        return MARGINS[self.is_gaussian] if self.margin is None else self.margin

    def problems(self) -> Iterator[str]:
        """Yield a message if the search for negatives would have nothing to choose from."""
        if self.batch * self.mega_batch < 2:
            yield "batch times mega_batch must be 2 or more: negatives come from other pairs"
