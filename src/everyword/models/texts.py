"""What a model says about texts; the work is done in `everyword.sentences`, which is imported when it is needed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast, overload

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.vectors.neighbours import unit_rows

if TYPE_CHECKING:
    from everyword.models.model import Model
    from everyword.sentences.context.read import ReadToken
    from everyword.sentences.context.reader import ContextReader
    from everyword.sentences.encoder import TextEncoder
    from everyword.sentences.index import TextIndex

TextNeighbours = list[tuple[str, float]]
"""Texts and their cosines, best first."""
BATCH_SIZE = 2048
LONG_INPUT = 50_000
"""So many texts get a progress bar, if a person is watching."""


class TextMethods:
    """The methods of a model that take texts."""

    @cached_property
    def text_encoder(self) -> TextEncoder:
        """Return what turns texts into vectors, made when the first text comes."""
        from everyword.sentences.encoder import TextEncoder
        from everyword.sentences.weights import read_weights

        model = cast("Model", self)
        return TextEncoder(model, read_weights(model))

    def encode_texts(
        self,
        texts: str | Iterable[str],
        *,
        normalize: bool = False,
        progress: bool | None = None,
        batch_size: int = BATCH_SIZE,
    ) -> FloatArray:
        """Return the vectors of texts: sentences, titles, questions, documents.

        A text is the weighted mean of its words; misspelt and new words count by what they are read as.

        Args:
            texts: A text, or any iterable of texts.
            normalize: Scale every vector to length 1, so that products of vectors are cosines; zero vectors stay zero.
            progress: Show a progress bar; by default for 50,000 texts or more, if standard error is a terminal.
            batch_size: How many texts are encoded together.

        Returns:
            float32 of shape (n, dim), or (dim,) for a single text; zeros for a text without words.

        Raises:
            InputError: If an item is not text.
        """
        if isinstance(texts, str):
            vector: FloatArray = self.encode_texts([texts], normalize=normalize)[0]
            return vector
        if not isinstance(texts, Iterable):
            raise InputError(f"A list of texts is needed. Got {texts!r:.40}, of type {type(texts).__name__}, instead.")
        if batch_size < 1:
            raise InputError(f"batch_size must be 1 or more. Got {batch_size} instead.")
        encoder = self.text_encoder
        count = len(texts) if isinstance(texts, Sequence) else None
        if progress or (progress is None and (count or 0) >= LONG_INPUT and sys.stderr.isatty()):
            import click

            with click.progressbar(length=count or 0, label="texts", file=sys.stderr) as bar:
                made = []
                for part in encoder.batches(texts, batch_size):
                    made.append(part)
                    bar.update(len(part))
        else:
            made = list(encoder.batches(texts, batch_size))
        dim = cast("Model", self).dim
        vectors = np.concatenate(made) if made else np.empty((0, dim), dtype=np.float32)
        return unit_rows(vectors, in_place=True) if normalize else vectors

    @overload
    def similarity_of_texts(self, first: str, second: str) -> float: ...  # type: ignore[overload-overlap]

    @overload
    def similarity_of_texts(self, first: str | Iterable[str], second: str | Iterable[str]) -> FloatArray: ...

    def similarity_of_texts(self, first: str | Iterable[str], second: str | Iterable[str]) -> float | FloatArray:
        """Return the cosine of two texts, or of each text of a list and its partner in another list.

        Args:
            first: A text, or an iterable of texts.
            second: A text, or an iterable of as many texts; a single text is compared with all of the others.

        Returns:
            A number from -1 to 1, or an array of them; 0 if either text has no words.

        Raises:
            InputError: If two lists are not of the same length.
        """
        one, other = (self.encode_texts(texts, normalize=True) for texts in (first, second))
        if one.ndim == other.ndim == 2 and len(one) != len(other):
            raise InputError(f"Both lists must have as many texts. Got {len(one)} and {len(other)}.")
        cosines = np.clip((one * other).sum(axis=-1), -1, 1)
        return float(cosines) if one.ndim == other.ndim == 1 else cosines

    @cached_property
    def _specific_words(self) -> FloatArray:
        from everyword.sentences.specificity import word_weights

        return word_weights(cast("Model", self).known_words)

    @overload
    def specificity(self, texts: str) -> float: ...  # type: ignore[overload-overlap]

    @overload
    def specificity(self, texts: Iterable[str]) -> NDArray[np.float64]: ...

    def specificity(self, texts: str | Iterable[str]) -> float | NDArray[np.float64]:
        """Return how specific texts are: the sum of the weights of their words, from 0 for "the" to 1 for rare ones.

        Long texts say more than short ones and so are more specific; divide by the number of words to compare how rare
        the words are. The numbers of one model can be compared, those of two models cannot.

        Args:
            texts: A text, or an iterable of texts.

        Returns:
            A number, or an array of them; 0 for a text without words.

        Raises:
            InputError: If an item is not text.
        """
        from everyword.sentences.specificity import specificities

        if not isinstance(texts, Iterable):
            raise InputError(f"A list of texts is needed. Got {texts!r:.40}, of type {type(texts).__name__}, instead.")
        listed = [texts] if isinstance(texts, str) else list(texts)
        for number, text in enumerate(listed):
            if not isinstance(text, str):
                raise InputError(f"Texts must be text. Item {number} is {text!r:.40}, of type {type(text).__name__}.")
        found = specificities(cast("Model", self), listed, self._specific_words)
        return float(found[0]) if isinstance(texts, str) else found

    @overload
    def nearest_texts(  # type: ignore[overload-overlap]
        self, query: str, texts: Iterable[str] | TextIndex, k: int = 5
    ) -> TextNeighbours: ...

    @overload
    def nearest_texts(
        self, query: Iterable[str], texts: Iterable[str] | TextIndex, k: int = 5
    ) -> list[TextNeighbours]: ...

    def nearest_texts(
        self, query: str | Iterable[str], texts: Iterable[str] | TextIndex, k: int = 5
    ) -> TextNeighbours | list[TextNeighbours]:
        """Return the texts that are nearest to a query.

        Args:
            query: A text, or an iterable of texts.
            texts: The texts to search, or a `TextIndex` of them, which is worth its while for several searches.
            k: How many texts.

        Returns:
            Pairs of a text and its cosine, best first; for an iterable of queries a list of such lists.

        Raises:
            InputError: If `k` is below 1, or an item is not text.
        """
        from everyword.sentences.index import TextIndex

        index = texts if isinstance(texts, TextIndex) else TextIndex.build(cast("Model", self), texts)
        found = index.search(self.encode_texts([query] if isinstance(query, str) else query), k)
        named = [[(index.texts[row], cosine) for row, cosine in pairs] for pairs in found]
        return named[0] if isinstance(query, str) else named

    @cached_property
    def context_reader(self) -> ContextReader | None:
        """Return what reads words by those around them, opened when it is first needed; None if the model has none."""
        from everyword.sentences.context.saved import read_context

        return read_context(cast("Model", self))

    def read(self, text: str) -> list[ReadToken]:
        """Return the tokens of a text as they are read by their spelling and by the words around them.

        Args:
            text: A text of any length.

        Returns:
            Each token with its place, its vector, where that comes from, and `read_as`, the word that was meant if it
            is another one. Without a context part, a model reads each word by its spelling alone.

        Raises:
            InputError: If the text is not text.
        """
        from everyword.sentences.context.read import read

        return read(cast("Model", self), text)

    @overload
    def correct(self, texts: str, *, keep: Iterable[str] = ()) -> str: ...  # type: ignore[overload-overlap]

    @overload
    def correct(self, texts: Iterable[str], *, keep: Iterable[str] = ()) -> list[str]: ...

    def correct(self, texts: str | Iterable[str], *, keep: Iterable[str] = ()) -> str | list[str]:
        """Return texts with their misspelt words put right, as a spell checker would.

        Also words that are other words misspelt are put right ("form" for "from"), if the model has a context part.
        Only words are changed, and only if another one is much more likely: a right text mostly comes back as it was.

        Args:
            texts: A text, or any iterable of texts.
            keep: Words that are never changed, such as names; capitals make no difference.

        Returns:
            The corrected text, or a list of them for an iterable.

        Raises:
            InputError: If an item is not text.
        """
        from everyword.sentences.context.read import checked, correct

        model = cast("Model", self)
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            return correct(model, [checked(texts)], keep)[0]
        return correct(model, list(texts), keep)
