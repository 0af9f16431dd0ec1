"""A way to get vectors from sentences: what the tasks about rare words judge.

The rare word's vector comes from sentences that it stands in; all other words have the vectors of a base way, in whose
space it must lie. Anything that has a method like `infer` below can be judged: see `ContextModel`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.evaluated_model import READING_SENTENCES, EvaluatedModel
from everyword.vectors.neighbours import unit_rows

Sentences = Mapping[str, Sequence[str]]
"""Words, each with the sentences that it stands in."""
Infer = Callable[[Sentences], FloatArray]
"""A vector for each word, in their order; zeros where nothing can be said."""


class ContextModel(EvaluatedModel):
    """A base way with one thing more: vectors of words from sentences."""

    reads_sentences = True

    def __init__(self, base: EvaluatedModel, policy: str, infer: Infer, *, fingerprint: str | None = None) -> None:
        super().__init__(base.name, policy, base.encode, base.candidates, base.spell, fingerprint=fingerprint)
        self.limited = base.limited
        self._base, self._infer = base, infer

    def known(self, word: str) -> bool:
        """Whether the base stores the word's vector."""
        return self._base.known(word)

    def units_in(self, sentences: Sentences) -> FloatArray:
        """Vectors of length 1 from sentences, one row a word; zeros stay zero."""
        start = perf_counter()
        vectors = np.asarray(self._infer(sentences), dtype=np.float32)
        self.encode_seconds += perf_counter() - start
        if vectors.shape != (len(sentences), self.dim):
            raise InputError(
                f"{self.name} must make an array of shape {(len(sentences), self.dim)} of {len(sentences)} words and "
                f"their sentences. Got {vectors.shape}; the vectors must lie in the space of its known words."
            )
        if not (finite := np.isfinite(vectors).all(axis=1)).all():
            bad = list(sentences)[int(np.argmin(finite))]
            raise InputError(f"{self.name} gives {bad!r} a vector that holds NaN or infinity; mend it, then score it.")
        return unit_rows(vectors)


def reading(model: EvaluatedModel, task: str) -> ContextModel:
    """The way, if it reads sentences; else the task has no score for it."""
    if not isinstance(model, ContextModel):
        raise NoScoreError(
            f"The task {task} gives sentences, which the policy {model.policy!r} does not read; choose "
            f"{', '.join(READING_SENTENCES[:-1])} or {READING_SENTENCES[-1]}."
        )
    return model
