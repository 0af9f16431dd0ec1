"""Studies about rare words as data: what gives them vectors, and how these are judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from everyword.config import Count
from everyword.studies.config import Study, Variant


@dataclass(frozen=True, kw_only=True)
class RareWordVariant(Variant):
    """A row about rare words: what gives them vectors, and how these are put into the language model."""

    vectors: Literal[
        "plain",
        "pieces",
        "words-around",
        "mimick",
        "a-la-carte",
        "form-context-model",
        "attentive-mimicking",
        "bertram",
        "everyword",
    ]
    overrides: tuple[str, ...] = ()
    """Overrides of the configuration of what is trained."""
    form: str = "ngrams"
    """The form part of a BERTRAM: n-grams, or the name of an everyword model."""
    sentences: Literal["given", "none", "in-domain"] = "given"
    """The sentences of a rare word: its own, none, or also the texts that are judged, without their labels."""
    strategy: Literal["replace", "slash"] = "replace"
    words: Literal["misspelt", "unknown", "split"] = "split"
    """Which words get a vector, where a model of everyword gives them."""


NOT_LEARNT = ("plain", "pieces")
"""Sources of vectors that neither learn from the words that a seed draws nor read the sentences that it draws."""


@dataclass(frozen=True, kw_only=True)
class RareWordStudy(Study):
    """A table about rare words inside a language model.

    With each seed, training words and their sentences are drawn anew, all models are trained anew, and texts are
    rarified anew.
    """

    kind: Literal["rare-words"] = "rare-words"
    judged_by: Literal["contexts", "rarified", "probe"]
    variants: tuple[RareWordVariant, ...]
    texts: tuple[str, ...] = ()
    """Sets of texts that are rarified, as paths inside the data folder, or as NAME=PATH."""
    words: Count | None = None
    """How many words are drawn to learn from at the small size; None takes all, as the full size does."""
    small: tuple[str, ...] = ()
    """Overrides for a size that takes minutes on a GPU; the full size is that of the configurations."""

    @property
    def policy(self) -> str:
        """What the vectors are judged by."""
        return self.judged_by

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: vectors without chance have one, unless texts are rarified."""
        learnt = isinstance(variant, RareWordVariant) and variant.vectors not in NOT_LEARNT
        return self.seeds if learnt or self.judged_by == "rarified" else None

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if bool(self.texts) != (self.judged_by == "rarified"):
            yield 'texts must be given with judged_by = "rarified", and only then'
