"""Configurations of BERTRAM, of its training stages, and of the static models before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from everyword.config import AtLeast, Count, Natural, NonNegative, OpenFraction, Positive, Range

Variant = Literal["add", "replace", "shallow"]
Weights = Literal["ratio", "softmax", "uniform", "words"]


@dataclass(frozen=True)
class NgramsConfig:
    """Which character n-grams have a vector of their own."""

    shortest: Count = 3
    longest: Count = 5
    fewest_words: Count = 4
    """N-grams of fewer training words share one vector."""
    dropout: Annotated[float, Range(0, 1, open_high=True)] = 0.1
    """The share of a word's n-grams that is hidden at each training step."""
    initial_scale: NonNegative = 0.01
    """Spread of the vectors before training; small, so that a vector that is seldom trained adds little noise."""

    def problems(self) -> Iterator[str]:
        if self.shortest > self.longest:
            yield f"shortest must not be above longest. Got {self.shortest} and {self.longest} instead"


@dataclass(frozen=True)
class ContextStage:
    """Epochs, learning rate and batches of a stage that reads contexts."""

    epochs: Natural = 5
    """In each epoch every word is shown once, with a new sample of its contexts."""
    learning_rate: Positive = 5e-5
    warm_up: OpenFraction = 0.1
    """The share of all steps in which the rate rises; then it falls linearly to zero."""
    contexts_a_batch: Count = 48
    fewest_contexts: Count = 4
    most_contexts: Count = 32
    """The number of contexts per word is sampled between these two, or is all that the word has."""

    def problems(self) -> Iterator[str]:
        if self.fewest_contexts > self.most_contexts:
            yield (
                "fewest_contexts must not be above most_contexts. "
                f"Got {self.fewest_contexts} and {self.most_contexts} instead"
            )


@dataclass(frozen=True)
class CombinedStage(ContextStage):
    """The same for form and contexts together."""

    epochs: Natural = 3


@dataclass(frozen=True)
class FormStage:
    """Epochs, learning rate and batches of the stage that trains the form part alone."""

    epochs: Natural = 20
    learning_rate: Positive = 0.01
    warm_up: OpenFraction | None = None
    """None keeps the rate constant."""
    words_a_batch: Count = 64


@dataclass(frozen=True)
class BertramConfig:
    """Settings of a BERTRAM; the defaults are those of the paper."""

    variant: Variant = "add"
    """How form and context are combined: add (the form vector is put before the context), replace (in place of the
    mask), shallow (only by a gate)."""
    prefix: Literal["auto", "colon", "quotes"] = "auto"
    """What surrounds an added form vector: a colon after it, or also quotes around it; auto takes quotes for models of
    RoBERTa's kind."""
    weights: Weights = "ratio"
    """How contexts are weighted: ratio as published, softmax, or uniform."""
    start: Literal["ridge", "random"] = "ridge"
    """Initial map from contexts to vectors: ridge regression (in closed form, from the contexts with their initial
    weights), or random, as published."""
    max_length: Annotated[int, AtLeast(8)] = 96
    """Maximum number of pieces of a context, around the word."""
    contexts_a_word: Count = 32
    """Maximum number of training sentences per word, sampled by the seed."""
    form_vectors: Literal["infer", "encode"] = "infer"
    """Which vectors of an everyword model are form vectors: from spelling alone, or also from its known words."""
    ngrams: NgramsConfig = field(default_factory=NgramsConfig)
    context: ContextStage = field(default_factory=ContextStage)
    form: FormStage = field(default_factory=FormStage)
    combined: CombinedStage = field(default_factory=CombinedStage)
    seed: Natural = 0

    def problems(self) -> Iterator[str]:
        if self.weights == "words":
            yield "weights 'words' is a setting of the form-context model; choose ratio, softmax or uniform"


@dataclass(frozen=True)
class StaticConfig:
    """Settings of a form-context model or of Attentive Mimicking."""

    weights: Weights = "ratio"
    """How contexts are weighted: ratio, softmax, uniform, or words (by the number of known words in each, which makes
    all contexts one bag)."""
    epochs: Natural = 10
    learning_rate: Positive = 0.01
    warm_up: OpenFraction | None = None
    """The share of all steps in which the rate rises before it falls; None keeps it constant."""
    words_a_batch: Count = 64
    contexts_a_word: Count = 20
    ngrams: NgramsConfig = field(default_factory=lambda: NgramsConfig(dropout=0.0))
    seed: Natural = 0
