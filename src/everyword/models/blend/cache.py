"""A bounded memory of vectors that were made: most unknown words of a text occur in it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from everyword.arrays import FloatArray

WORDS = 4096
"""How many words a generation holds; there are two, in 8 MB for 256 dimensions."""

Make = Callable[[Sequence[str]], FloatArray]


class VectorCache:
    """Vectors of words in two generations: when the younger is full, it becomes the older one, which is forgotten.

    A word that is asked for again moves to the younger one, so that what is used stays. Threads may share it: every
    step is one operation on a dictionary, and a word that two threads make at once is made twice.
    """

    def __init__(self, make: Make, words: int = WORDS) -> None:
        """`make` returns the vectors of words, a row each."""
        self._make, self._words = make, words
        self._young: dict[str, FloatArray] = {}
        self._old: dict[str, FloatArray] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, each made once."""
        if len(words) == 1:
            return self._of_one(words)
        young, old = self._young, self._old
        missing = dict.fromkeys([word for word in words if word not in young and word not in old])
        if len(missing) == len(words):  # nothing to put together
            made = self._make(words)
            self._keep(words, made)
            return made
        found = [young.get(word) if word in young else old.get(word) for word in words]
        # Another thread may have thrown out what was there.
        missing |= dict.fromkeys(word for word, vector in zip(words, found, strict=True) if vector is None)
        fresh: dict[str, FloatArray] = {}
        if missing:
            made = self._make(list(missing))
            self._keep(list(missing), made)
            fresh = dict(zip(missing, made, strict=True))
        self._young.update({word: vector for word, vector in zip(words, found, strict=True) if vector is not None})
        self._grow_old()
        return np.stack([fresh[word] if vector is None else vector for word, vector in zip(words, found, strict=True)])

    def _of_one(self, words: Sequence[str]) -> FloatArray:
        vector = self._young.get(words[0])
        if vector is None:
            vector = self._old.get(words[0])
            if vector is None:
                made = self._make(words)
                self._keep(words, made)
                return made
            self._young[words[0]] = vector
            self._grow_old()
        return vector[None, :].copy()

    def _keep(self, words: Sequence[str], made: FloatArray) -> None:
        # A copy, because what is returned belongs to the caller; of many words only as many as there is room for.
        self._young.update(zip(words[-self._words :], made[-self._words :].copy(), strict=True))
        self._grow_old()

    def _grow_old(self) -> None:
        if len(self._young) > self._words:
            self._old, self._young = self._young, {}
