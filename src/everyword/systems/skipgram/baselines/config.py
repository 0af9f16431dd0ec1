"""Configurations of the baselines: the methods before the contextual skip-gram."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from everyword.config import Count, Natural, NonNegative, Positive
from everyword.systems.skipgram.config import Rule, SentencesConfig

Method = Literal["skip-gram", "cbow", "fasttext", "glove", "dependency"]


@dataclass(frozen=True)
class Word2VecConfig:
    """Skip-gram, CBOW and fastText, by the package gensim or in large batches by torch."""

    dim: Count = 300
    window: Count = 5
    negatives: Count = 5
    subsample: float = 1e-3
    learning_rate: Positive = 0.025
    epochs: Count = 5
    seed: Natural = 0
    workers: Count = 1
    """Threads of gensim; with more than one, two runs differ."""
    trainer: Literal["gensim", "torch"] = "gensim"
    """gensim moves the vectors word by word; torch takes many words at once, which is quick on a GPU."""
    rule: Rule = "adam"
    """The optimiser of torch; gensim's is SGD."""
    clip: NonNegative = 5.0
    """With torch, maximum norm of the gradient of a row; 0 sets no limit."""
    batch: Count = 512
    """With torch, words per step."""
    shared_negatives: Count = 1024
    """With torch, words that all words of a step have as negatives; together they weigh `negatives`."""
    parts: Count = 200_000
    """With torch, how many of the most frequent substrings of 3 to 6 characters have a vector of their own in fastText;
    gensim hashes them."""
    sentences: SentencesConfig = field(default_factory=SentencesConfig)


@dataclass(frozen=True)
class GloveConfig:
    """GloVe: vectors whose products are the logarithms of co-occurrence counts."""

    dim: Count = 300
    window: Count = 10
    """Words on either side; one at distance d counts 1 / d."""
    most: Positive = 100.0
    """Pairs that count this much or more have the full weight."""
    power: Positive = 0.75
    """Exponent of the weight of the other pairs."""
    learning_rate: Positive = 0.05
    epochs: Count = 25
    batch: Count = 65_536
    """Pairs per step."""
    shared_negatives: Count = 1024
    """Contexts that all pairs of a step have as negatives; together they weigh `negatives`."""
    seed: Natural = 0
    sentences: SentencesConfig = field(default_factory=SentencesConfig)


PAIR_RATES: dict[Rule, float] = {"sgd": 0.025, "adagrad": 0.2, "adam": 0.002}
"""Usual rates for pairs: a step has thousands of them, and each teaches less than a sentence."""


@dataclass(frozen=True)
class DependencyConfig:
    """Skip-gram over pairs of words and their syntactic contexts."""

    dim: Count = 300
    context_count: Count = 5
    """Minimum number of occurrences of a context, which is a word with a relation."""
    negatives: Count = 5
    """Negative samples per pair."""
    power: Positive = 0.75
    rule: Rule = "adagrad"
    """The optimiser."""
    learning_rate: Positive | None = None
    """At the start; it falls linearly. None takes the usual rate of the optimiser, in `PAIR_RATES`."""
    clip: NonNegative = 5.0
    """Maximum norm of the gradient of a row; 0 sets no limit."""
    epochs: Count = 5
    batch: Count = 8192
    """Pairs per step."""
    shared_negatives: Count = 1024
    """Contexts that all pairs of a step have as negatives; together they weigh `negatives`."""
    seed: Natural = 0
    sentences: SentencesConfig = field(default_factory=SentencesConfig)

    @property
    def rate(self) -> float:
        """The learning rate at the start."""
        return PAIR_RATES[self.rule] if self.learning_rate is None else self.learning_rate


CONFIGURATIONS: dict[Method, type[Word2VecConfig | GloveConfig | DependencyConfig]] = {
    "skip-gram": Word2VecConfig,
    "cbow": Word2VecConfig,
    "fasttext": Word2VecConfig,
    "glove": GloveConfig,
    "dependency": DependencyConfig,
}
"""The configuration of each method."""
