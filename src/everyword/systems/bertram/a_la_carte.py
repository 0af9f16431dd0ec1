"""A La Carte: a linear map from the mean of the words around a word to its vector, in closed form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.space.linear_map import HELD_OUT_EVERY, LinearMap, fit_map
from everyword.systems.bertram.bags import NO_WORD, bags_of
from everyword.systems.bertram.context_model import ContextModel
from everyword.systems.bertram.masking import LeftOut, masked_contexts
from everyword.systems.bertram.static import trained_words
from everyword.vectors.table import VectorTable

MOST_IN_TRAINING = 1000
FEWEST_WORDS = 2 * HELD_OUT_EVERY
"""A tenth of the words chooses the strength of the ridge; fewer than two of them choose nothing."""


class ALaCarte(ContextModel):
    """Contexts alone, no form: a word without contexts gets zeros."""

    def __init__(self, table: VectorTable, to_vector: LinearMap) -> None:
        self.table, self.map = table, to_vector

    @classmethod
    def train(cls, table: VectorTable, contexts: Mapping[str, Sequence[str]], *, seed: int = 0) -> ALaCarte:
        """Fit the map to words that have a vector in the table and sentences."""
        words, bags = trained_words(table, contexts, MOST_IN_TRAINING, seed)
        if len(words) < FEWEST_WORDS:
            raise InputError(f"A La Carte needs at least {FEWEST_WORDS} words with contexts. Got {len(words)} instead.")
        means = np.stack([of_word.mean_of_all for of_word in bags])
        targets = table.select(words).matrix
        length = float(np.linalg.norm(targets, axis=1).mean())
        return cls(table, fit_map(means, targets, length=length).map)

    @property
    def dim(self) -> int:
        """Length of the vectors: that of the table's."""
        return self.table.dim

    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, left_out: LeftOut) -> FloatArray:
        masked = masked_contexts(contexts, NO_WORD, most, left_out)
        return self.map(np.stack([bags_of(self.table, of_word).mean_of_all for of_word in masked]))
