"""What decides what a BERTRAM, or one of its static ancestors, becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Variant = Literal["add", "replace", "shallow"]
Weights = Literal["ratio", "softmax", "uniform", "words"]


@dataclass(frozen=True)
class NgramsConfig:
    """Which character n-grams have a vector of their own."""

    shortest: int = 3
    longest: int = 5
    fewest_words: int = 4
    """An n-gram that stands in fewer training words shares one vector with all other rare ones."""
    dropout: float = 0.1
    """The share of a word's n-grams that is hidden at each step of training."""
    initial_scale: float = 0.01
    """Spread of the vectors before training; small, so that a vector seldom trained is no noise."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not 1 <= self.shortest <= self.longest:
            yield f"shortest and longest must be 1 or more and in this order. Got {self.shortest} and {self.longest}"
        if not 0 <= self.dropout < 1:
            yield f"dropout must be 0 or more and below 1. Got {self.dropout} instead"
        yield from below({"fewest_words": (self.fewest_words, 1), "initial_scale": (self.initial_scale, 0)})


@dataclass(frozen=True)
class ContextStage:
    """How long and how fast a stage learns that looks at contexts."""

    epochs: int = 5
    """In each, every word is shown once, with contexts drawn anew."""
    learning_rate: float = 5e-5
    warm_up: float = 0.1
    """Share of all steps in which the rate rises; then it falls to zero in a straight line."""
    contexts_a_batch: int = 48
    fewest_contexts: int = 4
    most_contexts: int = 32
    """A word is shown with a number of contexts drawn between these two, or with all it has."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not 1 <= self.fewest_contexts <= self.most_contexts:
            yield "fewest_contexts must be 1 or more, and most_contexts no less"
        yield from below({"epochs": (self.epochs, 0), "contexts_a_batch": (self.contexts_a_batch, 1)})
        yield from pace_problems(self.learning_rate, self.warm_up)


@dataclass(frozen=True)
class CombinedStage(ContextStage):
    """The same for form and contexts together."""

    epochs: int = 3


@dataclass(frozen=True)
class FormStage:
    """How long and how fast the form part learns on its own."""

    epochs: int = 20
    learning_rate: float = 0.01
    warm_up: float | None = None
    """None keeps the rate as it is throughout."""
    words_a_batch: int = 64

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        yield from below({"epochs": (self.epochs, 0), "words_a_batch": (self.words_a_batch, 1)})
        yield from pace_problems(self.learning_rate, self.warm_up)


@dataclass(frozen=True)
class BertramConfig:
    """Everything that decides what a BERTRAM becomes; the defaults are those of the paper."""

    variant: Variant = "add"
    """How form and context meet: add (the form vector stands before the context), replace (in the place of the
    word), shallow (they meet in a gate only)."""
    prefix: Literal["auto", "colon", "quotes"] = "auto"
    """What stands around an added form vector: a colon after it, or quotes around it as well; auto takes quotes for
    models of RoBERTa's kind."""
    weights: Weights = "ratio"
    """How several contexts are weighed: ratio as published, softmax, or uniform."""
    start: Literal["ridge", "random"] = "ridge"
    """Where the map from contexts to vectors begins: at the closed-form solution for the contexts as they are weighed
    then, or drawn at random, as published."""
    max_length: int = 96
    """Pieces of a context that the encoder sees, around the word."""
    contexts_a_word: int = 32
    """At most so many sentences of a word are used in training, drawn by the seed."""
    form_vectors: Literal["infer", "encode"] = "infer"
    """Which vectors of an everyword model the form part takes: from spelling alone, or with what the model knows."""
    ngrams: NgramsConfig = field(default_factory=NgramsConfig)
    context: ContextStage = field(default_factory=ContextStage)
    form: FormStage = field(default_factory=FormStage)
    combined: CombinedStage = field(default_factory=CombinedStage)
    seed: int = 0

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if self.weights == "words":
            yield "weights 'words' belongs to the form-context model; choose ratio, softmax or uniform"
        lowest = {"max_length": (self.max_length, 8), "contexts_a_word": (self.contexts_a_word, 1)}
        yield from below({**lowest, "seed": (self.seed, 0)})


@dataclass(frozen=True)
class StaticConfig:
    """Everything that decides what a form-context model or an Attentive Mimicking becomes."""

    weights: Weights = "ratio"
    """How several contexts are weighed: ratio, softmax, uniform, or words (by the number of known words in each,
    which makes one bag of all contexts)."""
    epochs: int = 10
    learning_rate: float = 0.01
    warm_up: float | None = None
    words_a_batch: int = 64
    contexts_a_word: int = 20
    ngrams: NgramsConfig = field(default_factory=lambda: NgramsConfig(dropout=0.0))
    seed: int = 0

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        lowest: dict[str, tuple[float, float]] = {
            "epochs": (self.epochs, 0),
            "words_a_batch": (self.words_a_batch, 1),
            "contexts_a_word": (self.contexts_a_word, 1),
            "seed": (self.seed, 0),
        }
        yield from below(lowest)
        yield from pace_problems(self.learning_rate, self.warm_up)


def below(lowest: dict[str, tuple[Any, float]]) -> Iterator[str]:
    """Sentences about values that lie below their minimum."""
    for name, (value, minimum) in lowest.items():
        if value < minimum:
            yield f"{name} must be {minimum} or more. Got {value} instead"


def pace_problems(learning_rate: float, warm_up: float | None) -> Iterator[str]:
    """Sentences about a rate or a warm-up that cannot be."""
    if learning_rate <= 0:
        yield f"learning_rate must be above 0. Got {learning_rate} instead"
    if warm_up is not None and not 0 < warm_up < 1:
        yield f"warm_up must lie between 0 and 1. Got {warm_up} instead"
