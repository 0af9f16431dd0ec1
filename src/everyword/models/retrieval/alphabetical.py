"""Known words that stand beside a word in the dictionary: those that share its beginning, or read backwards its end.

Most relatives of a new word are found so: "deviationism" stands beside "deviation", "undatable" ends as "datable".
"""

from __future__ import annotations

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.spellings import Letters, sorting_keys


class AlphabeticalIndex:
    """Known words in alphabetical order; given from their end, in the order of words read backwards."""

    def __init__(self, letters: Letters) -> None:
        """`letters` are the rows of `Spellings` in an `Alphabet` of these words, as are those that are asked about."""
        self._width = letters.shape[1]
        self._keys = sorting_keys(letters, self._width)
        self._rows: IndexArray = np.argsort(self._keys, kind="stable")  # smaller numbers would be widened every time

    def beside(self, letters: Letters, reach: int) -> IndexArray:
        """Rows of the `reach` known words before and after the place of each word, (words, 2 · reach).

        At the ends of the alphabet the last word stands several times.
        """
        # What is cut off a longer word does not matter: it comes after all known words that it begins with.
        place = np.searchsorted(self._keys, sorting_keys(letters, self._width), sorter=self._rows)
        around = place[:, None] + np.arange(-reach, reach)
        rows: IndexArray = self._rows[np.minimum(np.maximum(around, 0), len(self._rows) - 1)]
        return rows
