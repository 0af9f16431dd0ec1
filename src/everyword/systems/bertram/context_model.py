"""Interface of BERTRAM and its predecessors: words and their sentences in, vectors out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.extras import require
from everyword.systems.bertram.masking import UnusedSentences, check_contexts
from everyword.vectors.table import VectorTable

WORDS_AT_ONCE = 512
MOST_CONTEXTS = 64


class ContextModel(ABC):
    """Makes a vector for a word from its spelling and from sentences that contain it."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """Length of the vectors."""

    @abstractmethod
    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, unused: UnusedSentences) -> FloatArray:
        """Return a vector for each of a few words, and count the sentences that cannot be used."""

    def infer(
        self,
        words: str | Mapping[str, Sequence[str]],
        sentences: Sequence[str] = (),
        *,
        most_contexts: int = MOST_CONTEXTS,
        show_progress: bool = False,
    ) -> FloatArray:
        """Make the vector of a word, or of many words.

        A word without sentences gets the vector of its form alone. Sentences that do not contain their word are
        skipped, with one warning for all of them.

        Args:
            words: A word, or a mapping from words to their sentences.
            sentences: The sentences of a single word.
            most_contexts: Maximum number of sentences per word; of more, always the same ones are sampled.
            show_progress: Whether to show a progress bar.

        Returns:
            A vector (dim,) for a single word, a matrix (words, dim) for a mapping.

        Raises:
            InputError: If the words are not a mapping from text to lists of text.
        """
        if most_contexts < 1:
            raise InputError(f"most_contexts must be 1 or more. Got {most_contexts} instead.")
        if isinstance(words, str):
            vector: FloatArray = self.infer({words: sentences}, most_contexts=most_contexts)[0]
            return vector
        check_contexts(words)
        found = np.empty((len(words), self.dim), dtype=np.float32)
        items, unused = iter(words.items()), UnusedSentences()
        with require("tqdm", "The progress bar").tqdm(total=len(words), disable=not show_progress, unit="word") as bar:
            for first in range(0, len(words), WORDS_AT_ONCE):
                some = dict(islice(items, WORDS_AT_ONCE))
                found[first : first + WORDS_AT_ONCE] = self._vectors(some, most_contexts, unused)
                bar.update(len(some))
        unused.warn()
        return found

    def vectors_for(
        self,
        contexts: Mapping[str, Sequence[str]],
        *,
        most_contexts: int = MOST_CONTEXTS,
        show_progress: bool = False,
    ) -> VectorTable:
        """Make a vector table of some words.

        Args:
            contexts: A mapping from words to their sentences.
            most_contexts: Maximum number of sentences per word.
            show_progress: Whether to show a progress bar.

        Returns:
            A table with the vectors that `infer` returns.
        """
        vectors = self.infer(contexts, most_contexts=most_contexts, show_progress=show_progress)
        return VectorTable(list(contexts), vectors)
