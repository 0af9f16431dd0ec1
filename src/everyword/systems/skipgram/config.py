"""What is read of a corpus, and how a table learns from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

RECORD = "corpus.json"
"""The file that a folder with a prepared corpus has when it is complete."""
Weighing = Literal["attention", "equal", "each"]
Rule = Literal["sgd", "adagrad", "adam"]
USUAL_RATES: dict[Rule, float] = {"sgd": 0.025, "adagrad": 0.05, "adam": 0.02}


@dataclass(frozen=True)
class SentencesConfig:
    """Which sentences of a corpus count, and which of their words."""

    shortest: int = 10
    longest: int = 40
    """Words of a sentence, as runs of letters and digits; other lines are passed over."""
    min_count: int = 5
    """A word stands at least so often in those sentences; words of a list need stand there only once."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not 2 <= self.shortest <= self.longest:
            yield f"shortest must be 2 or more and no more than longest. Got {self.shortest} and {self.longest} instead"
        if self.min_count < 1:
            yield f"min_count must be 1 or more. Got {self.min_count} instead"


@dataclass(frozen=True)
class SkipgramConfig:
    """A skip-gram whose centre words are read by an encoder.

    What is usual is not what was published, which learns little from a small corpus: docs/models/skipgram.md has both.
    """

    dim: int = 300
    """Length of the vectors that are learnt."""
    window: int = 1
    """Words of the vocabulary to either side that are a centre's context; a sentence's end cuts it off."""
    weighing: Weighing = "each"
    """How context words meet their centre: as one mixture, by attention or in equal parts, or each by itself."""
    own_word: bool = True
    """Whether the centre word itself is one of its context words, as in a masked language model."""
    subsample: float = 1e-4
    """Context words above this frequency are dropped at random, as in word2vec (1e-3, 1e-5); 0 drops none."""
    centred: bool = True
    """Whether the mean of all vectors is taken from each at the end. The outputs of an encoder share a direction, and
    all vectors learn how far they go along it, which says more of frequency than of meaning."""
    negatives: int = 5
    """Words drawn for each centre, which its context should not be."""
    power: float = 0.75
    """They are drawn by their counts to this power."""
    layers: tuple[int, ...] = (-1,)
    """Layers of the encoder whose outputs are averaged."""
    rule: Rule = "adam"
    learning_rate: float | None = None
    """At the start; it falls in a straight line. Unless given, the rule has its own in `USUAL_RATES`."""
    clip: float = 5.0
    """The longest gradient of a row of the table or of the projection; 0 sets no limit."""
    epochs: int = 4
    batch: int = 512
    """Sentences in a step."""
    seed: int = 0
    checkpoint_steps: int = 2000
    sentences: SentencesConfig = field(default_factory=SentencesConfig)

    @property
    def rate(self) -> float:
        """The learning rate at the start."""
        return USUAL_RATES[self.rule] if self.learning_rate is None else self.learning_rate

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        for name in ("dim", "window", "negatives", "epochs", "batch", "checkpoint_steps"):
            if getattr(self, name) < 1:
                yield f"{name} must be 1 or more. Got {getattr(self, name)} instead"
        for name in ("subsample", "power", "clip"):
            if getattr(self, name) < 0:
                yield f"{name} must be 0 or more. Got {getattr(self, name)} instead"
        if self.rate <= 0:
            yield f"learning_rate must be above 0. Got {self.rate} instead"
