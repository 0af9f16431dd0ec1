"""Contexts as bags of words: the mean vector of the words around a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from everyword.arrays import FloatArray
from everyword.systems.bertram.masking import Masked
from everyword.text.word_pattern import WORD_PATTERN
from everyword.vectors.table import VectorTable

NO_WORD = " "
"""What stands in the place of the word itself: nothing that counts."""


class Bags(NamedTuple):
    """The contexts of one word that hold at least one known word."""

    means: FloatArray
    """(contexts, dim)."""
    sizes: FloatArray
    """How many known words each holds."""

    @property
    def mean_of_all(self) -> FloatArray:
        """The mean over the words of all contexts together; zeros if there is none."""
        mean: FloatArray = self.sizes @ self.means / max(self.sizes.sum(), np.float32(1))
        return mean


def known_rows(table: VectorTable, text: str) -> Iterator[int]:
    """The rows of the words of a text, as they are spelt or in lower case; unknown words are passed over."""
    for run in WORD_PATTERN.findall(text):
        row = table.index.get(run)
        if row is None:
            row = table.index.get(run.lower())
        if row is not None:
            yield row


def bags_of(table: VectorTable, contexts: Sequence[Masked]) -> Bags:
    """The mean vector of each context; those without a known word are left out, because they say nothing."""
    rows = [found for context in contexts if (found := list(known_rows(table, context.text)))]
    means = [table.matrix[found].mean(axis=0) for found in rows]
    sizes = np.array([len(found) for found in rows], dtype=np.float32)
    return Bags(np.array(means, dtype=np.float32).reshape(len(rows), table.dim), sizes)
