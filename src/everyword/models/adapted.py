"""A model for a table of one's own: its words as they are, all others as another model has them, in its space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.explanation import Explanation, Origin, Share, Source
from everyword.models.imputer import Imputer
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.models.stored import StoredMatrix
from everyword.space.linear_map import LinearMap


@dataclass(frozen=True)
class MappedImputer(Imputer):
    """Another imputer's vectors, mapped."""

    inner: Imputer
    to_own_space: LinearMap

    @classmethod
    def of(cls, inner: Imputer, to_own_space: LinearMap) -> MappedImputer:
        """An imputer and a map as one."""
        return cls(inner.units, inner.encoder, inner.config, inner.tables, to_own_space.length, inner, to_own_space)

    @cached_property
    def dim(self) -> int:
        """Length of the vectors."""
        return self.to_own_space.dim

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Vectors of normalised words; a word without a known character gets zeros."""
        return self.to_own_space(self.inner(words))


class AdaptedModel(Model):
    """Knows the words of a table; every other word gets what a base model would give it, in the table's space."""

    def __init__(
        self, name: str, base: Model, to_own_space: LinearMap, known: KnownWords, record: Mapping[str, Any]
    ) -> None:
        super().__init__(name, base.normalise, MappedImputer.of(base.imputer, to_own_space), known, record)
        self.base = base
        self.to_own_space = to_own_space

    def with_known(self, known: KnownWords, record: Mapping[str, Any] | None = None) -> AdaptedModel:
        """The same model with other words stored."""
        return AdaptedModel(self.name, self.base, self.to_own_space, known, self.record if record is None else record)

    @cached_property
    def moved_base(self) -> Model:
        """The base model in the table's space. Made when the first unknown word comes."""
        return self.base_in_own_space(lambda words, mapped: mapped)

    def base_in_own_space(self, refine: Callable[[Sequence[str], FloatArray], FloatArray]) -> Model:
        """The base model in the table's space, where a word of the table has its own vector instead of a mapped one.

        Its gate looks at spellings only, so it weighs words of the table as it weighs those of the base: a misspelling
        gets the very vector that the table has for the word meant. `refine` may know more than the map about the
        words that only the base knows.
        """
        own, further = self.known_words, self.base.known_words.without(self.known_words.words)
        mapped = refine(further.words, self.to_own_space(further.matrix.floats()))
        everything = StoredMatrix(np.concatenate([own.matrix.floats(), mapped]))
        known = KnownWords([*own.words, *further.words], everything)
        return Model(self.name, self.normalise, self.imputer, known, self.record, gate=self.base.gate)

    def _made(self, spelt: list[str]) -> FloatArray:
        return self.moved_base.encode(spelt)

    def _made_with_origins(self, spelt: list[str]) -> tuple[FloatArray, list[Origin]]:
        vectors, origins = self.moved_base.encode_with_origins(spelt)
        found = Origin(Source.RETRIEVED, 1.0)
        return vectors, [found if origin.source is Source.KNOWN else origin for origin in origins]

    def _explain_unknown(self, spelt: str) -> Explanation:
        explained = self.moved_base.explain(spelt)
        if explained.source is Source.KNOWN:
            # Known to the base, not here: it is found by a spelling that agrees in every letter.
            explained = replace(explained, source=Source.RETRIEVED, candidates=(Share(spelt, 1.0),))
        # The base was calibrated in its own space, so no number is given; of nothing at all one is never sure.
        return explained if explained.source is Source.NONE else replace(explained, confidence=None)
