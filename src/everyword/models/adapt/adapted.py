"""Adapted models: the words of a table as they are, and all others as a base model has them, mapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.models.explanation import Explanation, Origin, Share, Source
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.models.readings.composer import Readings
from everyword.space.linear_map import LinearMap
from everyword.vectors.storage.quantised import Matrix
from everyword.vectors.storage.stored import StoredMatrix


@dataclass(frozen=True)
class MappedFormEncoder(FormEncoder):
    """Another form encoder's vectors, mapped."""

    inner: FormEncoder
    to_own_space: LinearMap

    @classmethod
    def of(cls, inner: FormEncoder, to_own_space: LinearMap) -> MappedFormEncoder:
        """Return a form encoder and a map as one."""
        return cls(inner.units, inner.encoder, inner.config, inner.tables, to_own_space.length, inner, to_own_space)

    @cached_property
    def dim(self) -> int:
        return self.to_own_space.dim

    def __call__(self, words: Sequence[str]) -> FloatArray:
        return self.to_own_space(self.inner(words))


Refine = Callable[[IndexArray, FloatArray], FloatArray]
"""A function from the rows of words in the base and their mapped vectors to better vectors."""


class MappedMatrix(StoredMatrix):
    """The rows of a table, then those of a base model in the table's space, each mapped when it is first needed.

    Few of the words of a base are ever part of a blend; to map them all would take seconds and hundreds of megabytes.
    """

    _parts: tuple[Matrix, Matrix, LinearMap, Refine | None]
    _there: BoolArray

    def __init__(self, own: Matrix, base: Matrix, to_own_space: LinearMap, refine: Refine | None) -> None:
        # Memory that nothing was written to is not taken from the system.
        values = np.empty((len(own) + len(base), to_own_space.dim), dtype=np.float32)
        values[: len(own)] = own.floats()
        super().__init__(values)
        object.__setattr__(self, "_parts", (own, base, to_own_space, refine))
        object.__setattr__(self, "_there", np.arange(len(values)) < len(own))

    def floats(self, rows: IndexArray | slice = slice(None)) -> FloatArray:
        missing = np.arange(len(self.values))[rows]
        missing = np.unique(missing[~self._there[missing]])
        if len(missing):
            own, base, to_own_space, refine = self._parts
            base_rows = missing - len(own)
            mapped = to_own_space(base.floats(base_rows))
            self.values[missing] = mapped if refine is None else refine(base_rows, mapped)
            self._there[missing] = True  # last: another thread must not read a row before it is whole
        return super().floats(rows)

    @property
    def packed(self) -> None:
        """Return None: rows that were not needed yet are empty."""

    def __reduce__(self) -> tuple[type[MappedMatrix], tuple[object, ...]]:
        return MappedMatrix, self._parts


class AdaptedModel(Model):
    """A model that knows the words of a table and maps a base model's vectors into its space for all others."""

    def __init__(
        self, name: str, base: Model, to_own_space: LinearMap, known: KnownWords, record: Mapping[str, Any]
    ) -> None:
        super().__init__(name, base.normalise, MappedFormEncoder.of(base.form_encoder, to_own_space), known, record)
        self.base = base
        self.reads_tokens = base.reads_tokens
        self.to_own_space = to_own_space

    def with_known(self, known: KnownWords, record: Mapping[str, Any] | None = None) -> AdaptedModel:
        return AdaptedModel(self.name, self.base, self.to_own_space, known, self.record if record is None else record)

    def with_readings(self, readings: Readings | None) -> AdaptedModel:
        base = self.base.with_readings(readings)
        return AdaptedModel(self.name, base, self.to_own_space, self.known_words, self.record)

    @cached_property
    def moved_base(self) -> Model:
        """Return the base model in the table's space, made when the first unknown word comes."""
        return self.base_in_own_space(self.further_words())

    def further_words(self) -> KnownWords:
        """Return the words that only the base knows."""
        return self.base.known_words.without(self.known_words.words)

    def base_in_own_space(self, further: KnownWords, refine: Refine | None = None) -> Model:
        """Return the base model in the table's space; a word of the table has its own vector instead of a mapped one.

        Its gate looks at spellings only, so it weighs words of the table as it weighs those of the base: a misspelling
        gets the very vector that the table has for the word meant. `refine` may know more than the map about the
        `further` words, which only the base knows.
        """
        matrix = MappedMatrix(self.known_words.matrix, further.matrix, self.to_own_space, refine)
        sections = further.section_sizes(in_front=len(self.known_words))
        known = KnownWords([*self.known_words.words, *further.words], matrix, sections)
        return Model(
            self.name,
            self.normalise,
            self.form_encoder,
            known,
            self.record,
            gate=self.base.gate,
            readings=self.base.readings,
        )

    def _made(self, asked: list[str]) -> FloatArray:
        return self.moved_base.encode(asked)

    def _made_with_origins(self, asked: list[str]) -> tuple[FloatArray, list[Origin]]:
        vectors, origins = self.moved_base.encode_with_origins(asked)
        found = Origin(Source.RETRIEVED, 1.0)
        return vectors, [found if origin.source is Source.KNOWN else origin for origin in origins]

    def _made_and_explained(self, asked: list[str]) -> tuple[FloatArray, list[Explanation]]:
        vectors, explanations = self.moved_base.look_up(asked)
        return vectors, [_in_own_space(explanation) for explanation in explanations]


def _in_own_space(explanation: Explanation) -> Explanation:
    if explanation.source is Source.KNOWN:
        # Known to the base, not here: it is found by a spelling that agrees in every letter.
        explanation = replace(explanation, source=Source.RETRIEVED, candidates=(Share(explanation.word, 1.0),))
    # The base was calibrated in its own space, so no number is given; of nothing at all one is never sure.
    return explanation if explanation.source is Source.NONE else replace(explanation, confidence=None)
