"""Which split words get a vector of their own, and which one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from everyword.arrays import BoolArray, FloatArray
from everyword.errors import InputError, did_you_mean
from everyword.models.adapted import AdaptedModel
from everyword.models.explanation import Source
from everyword.models.model import Model
from everyword.vectors.table import VectorTable

Choice: TypeAlias = Callable[[Sequence[str]], tuple[FloatArray, BoolArray]]
"""Words → a vector for each, and which of them are to be used."""

CHOSEN: dict[str, frozenset[Source]] = {
    "misspelt": frozenset({Source.RETRIEVED}),
    "unknown": frozenset({Source.RETRIEVED, Source.INFERRED}),
    "split": frozenset({Source.RETRIEVED, Source.INFERRED, Source.KNOWN}),
}
"""The words that are given a vector, by where that vector comes from."""


def choice_of(imputer: Model | VectorTable, words: str) -> Choice:
    """What an imputer gives to words; a table gives what it has, a model by the kind of `words`."""
    check_words(words)
    if isinstance(imputer, VectorTable):
        return _from_table(imputer)
    # What the base of an adapted model knows is spelt right, even if the table's space has no vector for it.
    model = imputer.moved_base if isinstance(imputer, AdaptedModel) else imputer
    return _from_model(model, CHOSEN[words])


def check_words(words: str) -> None:
    """Refuse a kind of words that there is not."""
    if words not in CHOSEN:
        raise InputError(f"There is no kind of words {words!r}: {did_you_mean(words, CHOSEN)}")


def _from_model(model: Model, chosen: frozenset[Source]) -> Choice:
    def choose(words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        vectors, sources = model.encode_with_sources(words)
        return vectors, np.array([source in chosen for source in sources], dtype=np.bool_)

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
