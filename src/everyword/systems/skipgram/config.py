"""Configurations of the contextual skip-gram and of the sentences that every method reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from everyword.config import AtLeast, Count, Natural, NonNegative, Positive, build

RECORD = "corpus.json"
"""A folder with a prepared corpus is complete once it has this file."""
Weighing = Literal["attention", "scaled-attention", "equal", "each"]
States = Literal["standardised", "centred", "raw"]
Rule = Literal["sgd", "adagrad", "adam"]
USUAL_RATES: dict[Rule, float] = {"sgd": 0.025, "adagrad": 0.05, "adam": 0.02}


@dataclass(frozen=True)
class SentencesConfig:
    """Which sentences of a corpus are used, and which of their words."""

    shortest: Annotated[int, AtLeast(2)] = 10
    longest: int = 40
    """Words per sentence, as runs of letters and digits; other lines are skipped."""
    min_count: Count = 5
    """Minimum number of occurrences of a word in those sentences; words of a list need only one."""
    limit: Count | None = None
    """Only this many such sentences are used, the first ones; None uses all."""

    def problems(self) -> Iterator[str]:
        if self.shortest > self.longest:
            yield f"shortest must not be above longest. Got {self.shortest} and {self.longest} instead"


@dataclass(frozen=True)
class SkipgramConfig:
    """Settings of a skip-gram with centre words that an encoder reads.

    The defaults are not the published values, with which a small corpus teaches little: docs/models/skipgram.md has
    both.
    """

    dim: Count = 300
    """Length of the learnt vectors."""
    window: Count = 1
    """Words of the vocabulary on either side of a centre that are its context, within its sentence."""
    weighing: Weighing = "equal"
    """How context words meet their centre: as one mixture, weighted by attention (scaled-attention divides its products
    by the root of `dim`) or in equal parts, or each by itself."""
    stop_gradient: bool = False
    """Whether attention weights are constants, so that no gradient flows through them."""
    states: States = "standardised"
    """What is done to the encoder's outputs before they are projected: each dimension is standardised (mean 0, standard
    deviation 1), centred (mean 0) or left raw. All centres share the mean; attention feeds on it and collapses."""
    own_word: bool = True
    """Whether the centre word itself is one of its context words, as in a masked language model."""
    subsample: NonNegative = 0.0
    """Context words above this frequency are dropped at random, as in word2vec (1e-3, 1e-5); 0 drops none."""
    centred: bool = True
    """Whether the mean of all vectors is subtracted at the end. The outputs of an encoder share a direction, and all
    vectors learn how far they go along it, which reflects frequency more than meaning."""
    negatives: Count = 5
    """Negative samples per centre."""
    power: NonNegative = 0.75
    """Negatives are sampled by their counts to this power."""
    layers: tuple[int, ...] = (-1,)
    """Layers of the encoder whose outputs are averaged."""
    rule: Rule = "sgd"
    """The optimiser."""
    learning_rate: Positive | None = None
    """At the start; it falls linearly. None takes the usual rate of the optimiser, in `USUAL_RATES`."""
    clip: NonNegative = 5.0
    """Maximum norm of the gradient of a row of the table or of the projection; 0 sets no limit."""
    epochs: Count = 4
    batch: Count = 64
    """Sentences per step: gradients are sums, which `clip` cuts, so larger steps learn less from each sentence."""
    seed: Natural = 0
    checkpoint_steps: Count = 2000
    cache_states: bool = False
    """Whether the encoder reads the corpus once, before training. Its outputs stay in the memory of a GPU, or on a CPU
    in a file of the prepared corpus, in half precision: 2 bytes per number, so 32 GB for 42 million words and 384
    dimensions. Training then takes centres in random order, `centres` per step, and one set of negatives for all of
    them; `batch` is not used."""
    centres: Count = 1024
    """With cache_states, centres per step."""
    clip_together: bool = False
    """With cache_states, whether `clip` limits the norm of the whole gradient of a step, as published, rather than that
    of each row."""
    shared_negatives: Count = 2048
    """Words that all centres of a step have as negatives; together they weigh `negatives`. Few of their own for each
    centre would be noise: one product with an encoder's output moves a vector far."""
    sentences: SentencesConfig = field(default_factory=SentencesConfig)

    @property
    def rate(self) -> float:
        """The learning rate at the start."""
        return USUAL_RATES[self.rule] if self.learning_rate is None else self.learning_rate


EARLIER: dict[str, Any] = {
    "states": "raw",
    "stop_gradient": False,
    "cache_states": False,
    "centres": 1024,
    "clip_together": False,
    "shared_negatives": 2048,
}
"""What trainings did before these settings existed; their records do not have them."""


def config_of_record(values: Mapping[str, Any]) -> SkipgramConfig:
    """Return the settings of a trained table from its record, which may be an old one."""
    return build(SkipgramConfig, {**EARLIER, **values})
