"""Known words that stand beside a word in the dictionary: those that share its beginning, or read backwards its end.

Most relatives of a new word are found so: "deviationism" stands beside "deviation", "undatable" ends as "datable".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray

WIDTH = 32
"""Bytes compared. Two words that agree so far are relatives in any order."""


class AlphabeticalIndex:
    """Known words in alphabetical order, read forwards or backwards."""

    def __init__(self, words: Sequence[str], *, backwards: bool = False) -> None:
        self._step = -1 if backwards else 1
        keys = self._keys(words)
        self._rows = np.argsort(keys, kind="stable").astype(np.int32)
        self._sorted_keys = keys[self._rows]

    def beside(self, words: Sequence[str], reach: int) -> IndexArray:
        """Rows of the `reach` known words before and after the place of each word, (words, 2 · reach).

        At the ends of the alphabet the last word stands several times.
        """
        place = np.searchsorted(self._sorted_keys, self._keys(words))
        around = place[:, None] + np.arange(-reach, reach)
        rows: IndexArray = self._rows[np.clip(around, 0, len(self._rows) - 1)].astype(np.int64)
        return rows

    def _keys(self, words: Sequence[str]) -> NDArray[np.bytes_]:
        # UTF-8 bytes sort like code points, and NumPy compares them without making strings.
        step = self._step
        return np.array([word[::step].encode("utf-8", "surrogatepass") for word in words], dtype=f"S{WIDTH}")
