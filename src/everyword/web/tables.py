"""Tables of vectors without a model, to compare the models with: what simpler methods make of stored words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.unknown import StoredVectors, stored_or
from everyword.sentences.tokens import tokens_of
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable
from everyword.web.playground_schemas import TableReport

Vectors = Callable[[Sequence[str]], FloatArray]
BASELINES = {"spelling": "spelling", "pieces": "pieces", "lookup": "zero"}
"""What the page calls a baseline, and the registered policy for unknown words behind it."""
MOST_WORDS = 100_000
"""The baselines know this many of the most frequent words: indexes of more would keep the first visitor waiting."""

_BUILDING = Lock()


class Table:
    """The most frequent words of a table or a model, and the baselines on them, which are built when first needed.

    Args:
        name: What to call it.
        read: Returns the words and their vectors.
        normalise: Spells a word as the table does; a table of a file may have capitals or not.
    """

    def __init__(
        self, name: str, read: Callable[[], StoredVectors], normalise: Callable[[str], str] | None = None
    ) -> None:
        self.name, self._read, self._normalise = name, read, normalise

    @classmethod
    def load(cls, path: str) -> Table:
        """Read the most frequent words of a vector file.

        Raises:
            InputError: If the file cannot be read.
        """
        table = VectorTable.load(path, limit=MOST_WORDS)
        return cls(Path(path).name, lambda: table)

    @cached_property
    def stored(self) -> StoredVectors:
        """The words and their vectors."""
        return self._read()

    @property
    def baselines(self) -> dict[str, Vectors]:
        """Policies for unknown words that need no training, by name."""
        with _BUILDING:  # threads that ask at once need their indexes once
            return self._baselines

    @cached_property
    def _baselines(self) -> dict[str, Vectors]:
        return {name: stored_or(policy, self.stored, self.spell) for name, policy in BASELINES.items()}

    def spell(self, word: str) -> str:
        """Return a word as the table would store it."""
        if self._normalise is not None:
            return self._normalise(word)
        return word if word in self.stored.index else word.lower()

    def report(self, text: str, other: str | None, k: int) -> TableReport:
        """Return what the table alone makes of a word or a text, beside another one."""
        cosines = None
        if other is not None:
            cosines = {name: self._cosine(vectors, text, other) for name, vectors in self.baselines.items()}
        return TableReport(
            name=self.name,
            dim=self.stored.dim,
            words=len(self.stored.words),
            is_stored=self.spell(text) in self.stored.index,
            neighbours=self._neighbours(text, k),
            cosines=cosines,
        )

    def _neighbours(self, text: str, k: int) -> list[str]:
        word, stored = self.spell(text), self.stored
        if not isinstance(stored, VectorTable) or word not in stored:
            return []
        [near] = stored.nearest(stored[word][None, :], k + 1)
        return [other for other, _ in near if other != word][:k]

    def _cosine(self, vectors: Vectors, text: str, other: str) -> float | None:
        one, two = (self._mean(vectors, given) for given in (text, other))
        return float(np.clip(one @ two, -1.0, 1.0)) if one.any() and two.any() else None

    def _mean(self, vectors: Vectors, text: str) -> FloatArray:
        """Return the direction of a stored text, or of the mean of a text's words."""
        words = [text] if self.spell(text) in self.stored.index else tokens_of(text) or [text]
        mean: FloatArray = unit_rows(unit_rows(vectors(words)).mean(axis=0, keepdims=True))[0]
        return mean
