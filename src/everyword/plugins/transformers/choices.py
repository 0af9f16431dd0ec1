"""Which split words get a vector of their own, and which one."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.errors import InputError, did_you_mean
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.adapt.adapting import adapt
from everyword.models.explanation import Origin, Source
from everyword.models.model import Model
from everyword.plugins.transformers.word_tokens import PieceReader, beside_pieces
from everyword.vectors.table import VectorTable

Choice: TypeAlias = Callable[[Sequence[str]], tuple[FloatArray, BoolArray]]
"""Words → a vector for each, and which of them are to be used; one of zeros never is."""

MISSPELT_SHARE = 0.4
"""What one known word must make up of a vector for the word to be taken for its misspelling. Names and new words, too,
look a little like several known words; most of them have no such share in one."""
KINDS = ("misspelt", "unknown", "split")
"""The words that are given a vector."""


def adapt_to(model: Any, tokenizer: Any, *, scores: bool = False) -> AdaptedModel:
    """Adapt the default model to the input rows of a language model; it takes seconds.

    Neither the language model, which may have a head, nor its tokenizer is changed.

    Args:
        model: A model of transformers.
        tokenizer: Its tokenizer.
        scores: Also measure how good the result is; `record["scores"]` then holds the numbers.

    Returns:
        A model that gives every word a vector in the space of the input rows.
    """
    from everyword.language_models.input_embeddings import input_table
    from everyword.language_models.language_model import LanguageModel

    name = getattr(model, "name_or_path", "") or "the language model"
    with _modes_kept(model):
        # A copy, because reading pieces sets how the tokenizer pads and cuts off.
        table = input_table(LanguageModel(model, copy.deepcopy(tokenizer), name=name))
    return adapt(table, scores=scores)


def imputer_for(model: Any, tokenizer: Any) -> AdaptedModel:
    """Call `adapt_to`, the new name of this function."""
    warnings.warn("imputer_for is now called adapt_to.", DeprecationWarning, stacklevel=2)
    return adapt_to(model, tokenizer)


@contextmanager
def _modes_kept(model: Any) -> Iterator[None]:
    """Put every part of a network that was in training mode back into it."""
    training = [part for part in model.modules() if part.training]
    try:
        yield
    finally:
        for part in training:
            part.training = True


def choice_of(vectors: Model | VectorTable, words: str, tokenizer: Any, rows: FloatArray) -> Choice:
    """Return what gives words their vectors: a table gives those it has, a model those of the kind `words`.

    `rows` are the input rows of the language model.
    """
    check_words(words)
    if isinstance(vectors, VectorTable):
        return TableChoice(vectors)
    if not isinstance(vectors, AdaptedModel):
        return ModelChoice(vectors, words)
    # What the base of an adapted model knows is spelt right, even if the language model has no row for it.
    further = vectors.further_words()
    refine = BesidePieces(PieceReader(tokenizer), rows, further.words, tokenizer.unk_token_id)
    return ModelChoice(vectors.base_in_own_space(further, refine), words)


def check_words(words: str) -> None:
    """Refuse an unknown kind of words."""
    if words not in KINDS:
        raise InputError(f"There is no kind of words {words!r}: {did_you_mean(str(words), KINDS)}")


# Classes instead of functions inside functions: a robust model can be pickled.
@dataclass(frozen=True)
class BesidePieces:
    """The mean of a mapped vector and the rows of the word's pieces, for words that only the base model knows."""

    reader: PieceReader
    rows: FloatArray
    words: Sequence[str]
    unknown: int | None

    def __call__(self, indices: IndexArray, mapped: FloatArray) -> FloatArray:
        pieces = self.reader([self.words[index] for index in indices.tolist()])
        return beside_pieces(mapped, self.rows, pieces, self.unknown)


@dataclass(frozen=True)
class ModelChoice:
    """A model's vectors for one kind of words."""

    model: Model
    kind: str

    def __call__(self, words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        vectors, origins = self.model.encode_with_origins(words)
        return vectors, np.array([self._chosen(origin) for origin in origins], dtype=np.bool_)

    def _chosen(self, origin: Origin) -> bool:
        if self.kind == "split":
            return True
        if self.kind == "unknown":
            return origin.source is not Source.KNOWN
        return origin.source in (Source.RETRIEVED, Source.INFERRED) and origin.largest_share >= MISSPELT_SHARE


@dataclass(frozen=True)
class TableChoice:
    """A table's vectors for the words it has."""

    table: VectorTable

    def __call__(self, words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        spelt = [word if word in self.table else word.lower() for word in words]
        used = np.array([word in self.table for word in spelt], dtype=np.bool_)
        vectors = np.zeros((len(words), self.table.dim), dtype=np.float32)
        for index in np.flatnonzero(used).tolist():
            vectors[index] = self.table[spelt[index]]
        return vectors, used
