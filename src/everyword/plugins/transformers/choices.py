"""Which split words get a vector of their own, and which one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from everyword.arrays import BoolArray, FloatArray
from everyword.errors import InputError, did_you_mean
from everyword.models.adapted import AdaptedModel
from everyword.models.explanation import Origin, Source
from everyword.models.model import Model
from everyword.plugins.transformers.word_rows import beside_pieces
from everyword.plugins.transformers.word_tokens import pieces_in_texts
from everyword.vectors.table import VectorTable

Choice: TypeAlias = Callable[[Sequence[str]], tuple[FloatArray, BoolArray]]
"""Words → a vector for each, and which of them are to be used; one of zeros never is."""

Chosen: TypeAlias = Callable[[Origin], bool]
MISSPELT_SHARE = 0.4
"""What one known word must make up of a vector for the word to be taken for its misspelling. Names and new words, too,
look a little like several known words; most of them have no such share in one."""

CHOSEN: dict[str, Chosen] = {
    "misspelt": lambda origin: origin.source is not Source.KNOWN and origin.largest_share >= MISSPELT_SHARE,
    "unknown": lambda origin: origin.source is not Source.KNOWN,
    "split": lambda origin: True,
}
"""The words that are given a vector, by where that vector comes from."""


def choice_of(imputer: Model | VectorTable, words: str, tokenizer: Any, rows: Any) -> Choice:
    """What an imputer gives to words; a table gives what it has, a model by the kind of `words`.

    `rows` are the input rows of the language model.
    """
    check_words(words)
    if isinstance(imputer, VectorTable):
        return _from_table(imputer)
    if not isinstance(imputer, AdaptedModel):
        return _from_model(imputer, CHOSEN[words])

    def refine(further: Sequence[str], mapped: FloatArray) -> FloatArray:
        return beside_pieces(mapped, rows, pieces_in_texts(tokenizer, further), tokenizer.unk_token_id)

    # What the base of an adapted model knows is spelt right, even if the language model has no row for it.
    return _from_model(imputer.base_in_own_space(refine), CHOSEN[words])


def check_words(words: str) -> None:
    """Refuse a kind of words that there is not."""
    if words not in CHOSEN:
        raise InputError(f"There is no kind of words {words!r}: {did_you_mean(words, CHOSEN)}")


def _from_model(model: Model, chosen: Chosen) -> Choice:
    def choose(words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        vectors, origins = model.encode_with_origins(words)
        return vectors, np.array([chosen(origin) for origin in origins], dtype=np.bool_)

    return choose


def _from_table(table: VectorTable) -> Choice:
    def choose(words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        spelt = [word if word in table else word.lower() for word in words]
        used = np.array([word in table for word in spelt], dtype=np.bool_)
        vectors = np.zeros((len(words), table.dim), dtype=np.float32)
        for place in np.flatnonzero(used).tolist():
            vectors[place] = table[spelt[place]]
        return vectors, used

    return choose
