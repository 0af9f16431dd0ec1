"""Words as rows of small numbers: their letters, the same read backwards, and their sounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.letter_rows import WIDTH, Rows, letter_rows
from everyword.models.retrieval.sound_rows import sound_rows
from everyword.models.retrieval.spellings import in_parts

LETTERS_OF, BACKWARDS_OF, SOUNDS_OF = range(3)
"""Which row of a word is which."""
SIDES = 3


@dataclass(frozen=True)
class SpeltWords:
    """The rows of words, so that one look into memory finds all of a word, and how many letters and sounds each has."""

    rows: Rows
    """(words, `SIDES`, `WIDTH`), filled up with zeros."""
    lengths: IndexArray
    sound_lengths: IndexArray

    @classmethod
    def of(cls, words: Sequence[str]) -> SpeltWords:
        """Return the letters and sounds of words."""
        made = cls(
            np.empty((len(words), SIDES, WIDTH), dtype=np.uint8),
            np.empty(len(words), dtype=np.int64),
            np.empty(len(words), dtype=np.int64),
        )
        for part, some in in_parts(words):
            rows = made.rows[part]
            rows[:, LETTERS_OF], rows[:, BACKWARDS_OF], made.lengths[part] = letter_rows(some)
            rows[:, SOUNDS_OF], made.sound_lengths[part] = sound_rows(rows[:, LETTERS_OF], made.lengths[part])
        return made

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def letters(self) -> Rows:
        """Return the letters of words from the beginning."""
        return self.rows[:, LETTERS_OF]

    @property
    def backwards(self) -> Rows:
        """Return the letters of words from the end."""
        return self.rows[:, BACKWARDS_OF]

    @property
    def sounds(self) -> Rows:
        """Return the sounds of words."""
        return self.rows[:, SOUNDS_OF]

    def take(self, rows: slice) -> SpeltWords:
        """Return some of the words."""
        return SpeltWords(self.rows[rows], self.lengths[rows], self.sound_lengths[rows])
