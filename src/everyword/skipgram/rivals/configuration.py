"""How the methods before the contextual skip-gram are trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from everyword.skipgram.configuration import SentencesConfig

Method = Literal["skip-gram", "cbow", "fasttext", "glove"]
METHODS: tuple[Method, ...] = ("skip-gram", "cbow", "fasttext", "glove")


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
