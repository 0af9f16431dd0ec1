"""What BERTRAM and its ancestors have in common: words and their sentences in, vectors out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.extras import require
from everyword.systems.bertram.masking import LeftOut, check_contexts
from everyword.vectors.table import VectorTable

WORDS_AT_ONCE = 512
MOST_CONTEXTS = 64
"""Of a word that has more sentences, so many are drawn."""


class ContextModel(ABC):
    """A vector for a word from its spelling and from sentences in which it stands."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """Length of the vectors."""

    @abstractmethod
    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, left_out: LeftOut) -> FloatArray:
        """One vector for each of a few words; sentences that cannot be used are counted."""

    def infer(
        self,
        words: str | Mapping[str, Sequence[str]],
        sentences: Sequence[str] = (),
        *,
        most_contexts: int = MOST_CONTEXTS,
        show_progress: bool = False,
    ) -> FloatArray:
        """The vector of a word and its sentences, (dim,); of a mapping from words to sentences, (n, dim).

        A word without sentences gets the vector of its form alone. Of more than `most_contexts` sentences so many
        are drawn, always the same ones. Sentences in which the word does not stand are left out and counted.
        """
        if most_contexts < 1:
            raise InputError(f"most_contexts must be 1 or more. Got {most_contexts} instead.")
        if isinstance(words, str):
            vector: FloatArray = self.infer({words: sentences}, most_contexts=most_contexts)[0]
            return vector
        check_contexts(words)
        found = np.empty((len(words), self.dim), dtype=np.float32)
        items, left_out = iter(words.items()), LeftOut()
        with require("tqdm", "The progress bar").tqdm(total=len(words), disable=not show_progress, unit="word") as bar:
            for first in range(0, len(words), WORDS_AT_ONCE):
                some = dict(islice(items, WORDS_AT_ONCE))
                found[first : first + WORDS_AT_ONCE] = self._vectors(some, most_contexts, left_out)
                bar.update(len(some))
        left_out.tell()
        return found

    def vectors_for(
        self,
        contexts: Mapping[str, Sequence[str]],
        *,
        most_contexts: int = MOST_CONTEXTS,
        show_progress: bool = False,
    ) -> VectorTable:
        """A plain table of what `infer` gives."""
        vectors = self.infer(contexts, most_contexts=most_contexts, show_progress=show_progress)
        return VectorTable(list(contexts), vectors)
