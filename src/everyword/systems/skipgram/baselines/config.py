"""How the methods before the contextual skip-gram are trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from everyword.systems.skipgram.config import Rule, SentencesConfig

Method = Literal["skip-gram", "cbow", "fasttext", "glove", "dependency"]


def _positive(config: object, *names: str) -> Iterator[str]:
    for name in names:
        if getattr(config, name) <= 0:
            yield f"{name} must be above 0. Got {getattr(config, name)} instead"


@dataclass(frozen=True)
class Word2VecConfig:
    """Skip-gram, CBOW and fastText, by the package gensim."""

    dim: int = 300
    window: int = 5
    negatives: int = 5
    subsample: float = 1e-3
    learning_rate: float = 0.025
    epochs: int = 5
    seed: int = 0
    workers: int = 1
    """Threads; with more than one, two runs differ."""
    sentences: SentencesConfig = field(default_factory=SentencesConfig)

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        yield from _positive(self, "dim", "window", "negatives", "learning_rate", "epochs", "workers")


@dataclass(frozen=True)
class GloveConfig:
    """GloVe: vectors whose products are the logarithms of how often words stand together."""

    dim: int = 300
    window: int = 10
    """Words to either side; one at distance d counts 1 / d."""
    most: float = 100.0
    """Pairs that count this much or more have the full weight."""
    power: float = 0.75
    """By which the weight of the others falls."""
    learning_rate: float = 0.05
    epochs: int = 25
    batch: int = 65_536
    """Pairs in a step."""
    seed: int = 0
    sentences: SentencesConfig = field(default_factory=SentencesConfig)

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        yield from _positive(self, "dim", "window", "most", "power", "learning_rate", "epochs", "batch")


PAIR_RATES: dict[Rule, float] = {"sgd": 0.025, "adagrad": 0.2, "adam": 0.002}
"""What is usual for pairs, of which a step has thousands, and each says less than a sentence."""


@dataclass(frozen=True)
class DependencyConfig:
    """Skip-gram over pairs of words and what syntax joins them to."""

    dim: int = 300
    context_count: int = 5
    """A context, which is a word with a relation, stands at least so often with words of the vocabulary."""
    negatives: int = 5
    power: float = 0.75
    rule: Rule = "adagrad"
    learning_rate: float | None = None
    """At the start; it falls in a straight line. Unless given, the rule has its own in `PAIR_RATES`."""
    clip: float = 5.0
    """The longest gradient of a row; 0 sets no limit."""
    epochs: int = 5
    batch: int = 8192
    """Pairs in a step."""
    seed: int = 0
    sentences: SentencesConfig = field(default_factory=SentencesConfig)

    @property
    def rate(self) -> float:
        """The learning rate at the start."""
        return PAIR_RATES[self.rule] if self.learning_rate is None else self.learning_rate

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        yield from _positive(self, "dim", "context_count", "negatives", "power", "epochs", "batch")
        if self.clip < 0:
            yield f"clip must be 0 or more. Got {self.clip} instead"
        if self.rate <= 0:
            yield f"learning_rate must be above 0. Got {self.rate} instead"


CONFIGURATIONS: dict[Method, type[Word2VecConfig | GloveConfig | DependencyConfig]] = {
    "skip-gram": Word2VecConfig,
    "cbow": Word2VecConfig,
    "fasttext": Word2VecConfig,
    "glove": GloveConfig,
    "dependency": DependencyConfig,
}
"""What each method takes."""
