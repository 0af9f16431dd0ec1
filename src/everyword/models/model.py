"""The model: a vector for every word, stored for known words and made from known words and spelling for others."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.models.blend.blender import Blender
from everyword.models.blend.form_only import FormOnly
from everyword.models.blend.readers import AnyGate
from everyword.models.explanation import Explanation, Origin, Source
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords, Neighbours
from everyword.models.part import SavedPart
from everyword.models.readings.composer import Composer, Maker, Readings
from everyword.models.saving import SaveMethods
from everyword.models.terms import Terms, contains_term, fitting, listed, numbers, one_word, terms
from everyword.models.texts import TextMethods
from everyword.text.normalise import Normaliser, listed_words
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

UNKNOWN = -1
LONGER_TERMS = 30
"""How many more neighbours are searched for, since terms that contain the word are left out."""


class Model(TextMethods, SaveMethods):
    """A model that gives every word and every text a vector. Returned by `everyword.load`; needs no torch.

    Every method normalises words by the rule saved with the model, so "Cat" and " cat" are "cat".
    """

    def __init__(
        self,
        name: str,
        normalise: Normaliser,
        form_encoder: FormEncoder,
        known: KnownWords,
        record: Mapping[str, Any],
        *,
        gate: AnyGate | None = None,
        readings: Readings | None = None,
        parts: Mapping[str, SavedPart] | None = None,
        parts_of: KnownWords | None = None,
    ) -> None:
        self.name = name
        self.normalise = normalise
        self.form_encoder = form_encoder
        self.known_words = known
        self.record = record
        """How the model was trained: configuration, seed, checksums of the data, versions."""
        self.gate = gate
        """Weighs known words of similar spelling; without a gate, unknown words are made from spelling alone."""
        self.blender = Blender(known, form_encoder, gate) if gate is not None and len(known) else None
        """Makes the vectors of unknown words from known ones and spelling; None without gate or known words."""
        self.readings = readings
        """Reads numbers, symbols, phrases and other tokens; without them, every token is one word."""
        self.reads_tokens = readings is not None
        self.parts: Mapping[str, SavedPart] = parts or {}
        """Parts in files of their own, such as the weights of words in texts."""
        self.parts_of = known if parts_of is None else parts_of
        """The known words that the parts were made for."""
        self.maker: Maker | Composer = self.blender or FormOnly(form_encoder)
        """Makes the vectors of tokens that are not stored."""
        if readings is not None:
            self.maker = Composer.of(known, self.maker, normalise, readings, form_encoder.norm)

    @property
    def dim(self) -> int:
        """Return the length of the vectors."""
        return self.form_encoder.dim

    @property
    def imputer(self) -> FormEncoder:
        """Return `form_encoder`, under its old name."""
        warnings.warn("Model.imputer is now called Model.form_encoder.", DeprecationWarning, stacklevel=2)
        return self.form_encoder

    def __repr__(self) -> str:
        return f"Model({self.name!r}, dim={self.dim}, known={len(self.known_words):,})"

    def __len__(self) -> int:
        """Return how many words have a stored vector; every other word gets one too."""
        return len(self.known_words)

    def __bool__(self) -> bool:
        return True  # a model that stores no word still makes vectors

    def __iter__(self) -> Iterator[str]:
        """Iterate over the stored words, most frequent first."""
        return iter(self.known_words.words)

    def encode(self, words: str | Iterable[str], *, normalize: bool = False) -> FloatArray:
        """Return the vectors of words.

        Args:
            words: A word, or any iterable of words.
            normalize: Scale every vector to length 1, so that products of vectors are cosines; zero vectors stay zero.

        Returns:
            float32 of shape (n, dim), or (dim,) for a single word. Never NaN: a word about which nothing is known gets
            zeros, and its `source` is `none`. The same word in another batch gets the same vector except for rounding.
        """
        if isinstance(words, str):
            vector = self._encode_one(words)
            return unit_rows(vector[None, :])[0] if normalize else vector
        asked, spelt = self._asked(words)
        vectors, unknown = self._stored(spelt)
        if len(unknown) == len(asked) > 0:
            vectors = self._made(asked)
        elif len(unknown):
            vectors[unknown] = self._made([asked[index] for index in unknown])
        return unit_rows(vectors, in_place=True) if normalize else vectors

    def _encode_one(self, word: str) -> FloatArray:
        # A word on its own should not pay for the bookkeeping of many.
        spelt = self.normalise(word)
        row = self.known_words.index.get(spelt)
        if row is None:
            vectors = self._made([word if self.reads_tokens else spelt])
        else:
            vectors = self.known_words.matrix.floats(slice(row, row + 1))
        vector: FloatArray = vectors[0]
        return vector

    def _stored(self, spelt: list[str]) -> tuple[FloatArray, IndexArray]:
        """Return rows for words, filled for those whose vector is stored, and the indices of the others."""
        rows = self.known_words.rows_of(spelt)
        unknown = np.flatnonzero(rows == UNKNOWN)
        if not len(unknown):
            return self.known_words.matrix.floats(rows), unknown
        vectors = np.empty((len(spelt), self.dim), dtype=np.float32)
        known = np.flatnonzero(rows != UNKNOWN)
        vectors[known] = self.known_words.matrix.floats(rows[known])
        return vectors, unknown

    def _asked(self, words: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return words as the maker of vectors wants them, and normalised: capitals help to read a token."""
        given = listed_words(words)
        spelt = self.normalise.all(given)
        return (given if self.reads_tokens else spelt), spelt

    def _made(self, asked: list[str]) -> FloatArray:
        """Return the vectors of words that are not stored."""
        return self.maker(asked)

    def encode_with_origins(self, words: Iterable[str]) -> tuple[FloatArray, list[Origin]]:
        """Return the vectors of words and the origin of each, at the cost of `encode`.

        Args:
            words: Any iterable of words.

        Returns:
            Vectors of shape (n, dim), and for each its source and the largest share that one known word has in it.
        """
        asked, spelt = self._asked(words)
        vectors, unknown = self._stored(spelt)
        origins = [Origin(Source.KNOWN, 1.0)] * len(spelt)
        if len(unknown):
            vectors[unknown], made_from = self._made_with_origins([asked[index] for index in unknown])
            for index, origin in zip(unknown.tolist(), made_from, strict=True):
                origins[index] = origin
        return vectors, origins

    def _made_with_origins(self, asked: list[str]) -> tuple[FloatArray, list[Origin]]:
        return self.maker.with_origins(asked)

    def look_up(self, words: Iterable[str]) -> tuple[FloatArray, list[Explanation]]:
        """Return the vectors of words and an explanation of each, in one pass.

        Args:
            words: Any iterable of words.

        Returns:
            What `encode` and `explain` return for a list of words, each vector made once.
        """
        asked, spelt = self._asked(words)
        vectors, unknown = self._stored(spelt)
        sure = self.known_words.confidences(self.known_words.rows_of(spelt)).tolist()
        explanations = [
            Explanation(word, Source.KNOWN, (), 0.0, share) for word, share in zip(spelt, sure, strict=True)
        ]
        if len(unknown):
            vectors[unknown], explained = self._made_and_explained([asked[index] for index in unknown])
            for index, explanation in zip(unknown.tolist(), explained, strict=True):
                explanations[index] = explanation
        return vectors, explanations

    def _made_and_explained(self, asked: list[str]) -> tuple[FloatArray, list[Explanation]]:
        return self.maker.with_explanations(asked)

    def infer(self, words: Iterable[str]) -> FloatArray:
        """Return vectors made from spelling alone, also for words whose vector is stored.

        Args:
            words: Any iterable of words.

        Returns:
            float32 of shape (n, dim); zeros for a word without a known character.
        """
        return self.form_encoder(self._normalised(words))

    def __getitem__(self, word: str) -> FloatArray:
        return self.encode(one_word(word))

    def known(self, word: str) -> bool:
        """Return whether the vector of a word is stored; otherwise it is made when it is needed."""
        return self.normalise(one_word(word)) in self.known_words.index

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.known(word)

    @overload
    def source(self, words: str) -> Source: ...  # type: ignore[overload-overlap]  # a text is an iterable too

    @overload
    def source(self, words: Iterable[str]) -> list[Source]: ...

    def source(self, words: str | Iterable[str]) -> Source | list[Source]:
        """Return where the vector of a word comes from, such as known, retrieved or inferred.

        Args:
            words: A word, or any iterable of words.

        Returns:
            A `Source`, or a list of them for an iterable.
        """
        sources = [origin.source for origin in self.encode_with_origins(listed(words))[1]]
        return sources[0] if isinstance(words, str) else sources

    @overload
    def explain(self, words: str) -> Explanation: ...  # type: ignore[overload-overlap]

    @overload
    def explain(self, words: Iterable[str]) -> list[Explanation]: ...

    def explain(self, words: str | Iterable[str]) -> Explanation | list[Explanation]:
        """Return where the vector of a word comes from, the known words it is blended from, and the confidence.

        Args:
            words: A word, or any iterable of words.

        Returns:
            An `Explanation`, or a list of them for an iterable.
        """
        explanations = self.look_up(listed(words))[1]
        return explanations[0] if isinstance(words, str) else explanations

    def without(self, words: Iterable[str]) -> Model:
        """Return the same model without some stored words, which it then treats as new words."""
        return self.with_known(self.known_words.without(self._normalised(words)))

    def with_known(self, known: KnownWords, record: Mapping[str, Any] | None = None) -> Model:
        """Return the same model with other words stored, and optionally with another training record."""
        kept = self.record if record is None else record
        return self._changed(known, kept, self.readings)

    def with_readings(self, readings: Readings | None) -> Model:
        """Return the same model that reads numbers, symbols, phrases and other tokens, or with None does not."""
        return self._changed(self.known_words, self.record, readings)

    def _changed(self, known: KnownWords, record: Mapping[str, Any], readings: Readings | None) -> Model:
        same = (self.name, self.normalise, self.form_encoder, known, record)
        return Model(*same, gate=self.gate, readings=readings, parts=self.parts, parts_of=self.parts_of)

    @overload
    def nearest(  # type: ignore[overload-overlap]
        self,
        words: str | None = None,
        k: int = 10,
        *,
        positive: Terms | None = None,
        negative: Terms | None = None,
        foreign: bool = False,
        among: Model | None = None,
    ) -> Neighbours: ...

    @overload
    def nearest(
        self, words: Iterable[str], k: int = 10, *, foreign: bool = False, among: Model | None = None
    ) -> list[Neighbours]: ...

    @overload
    def nearest(
        self, words: FloatArray, k: int = 10, *, foreign: bool = False, among: Model | None = None
    ) -> Neighbours | list[Neighbours]: ...

    def nearest(
        self,
        words: str | Iterable[str] | FloatArray | None = None,
        k: int = 10,
        *,
        positive: Terms | None = None,
        negative: Terms | None = None,
        foreign: bool = False,
        among: Model | None = None,
    ) -> Neighbours | list[Neighbours]:
        """Return the known words nearest by cosine.

        Args:
            words: A word, an iterable of words, a vector (a 1-d array or a list of numbers) or several vectors (a 2-d
                array).
            k: How many neighbours.
            positive: Instead of `words`: words or vectors whose directions are added, as gensim's `most_similar` does.
            negative: Words or vectors whose directions are subtracted.
            foreign: Search the words of other languages too, if the model stores any.
            among: Another model of the same space, whose known words are searched instead: the English words nearest
                to a German one. The word itself may be among them.

        Returns:
            Pairs of a known word and its cosine, best first; for an iterable of words or a 2-d array a list of such
            lists. A word is not its own neighbour, and neither are longer terms that contain it ("heart attack" of
            "heart") and the words of `positive` and `negative`. A zero vector has no neighbours.

        Raises:
            InputError: If `k` is below 1, a vector is not finite or not of this model's dimension, or `words` and
                `positive` or `negative` are both given.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more. Got {k} instead.")
        known = self.known_words if among is None else self.known_words_of(among)
        if positive is not None or negative is not None:
            if words is not None:
                raise InputError("Give either words or positive and negative, not both.")
            query, named = self._sum_of_terms(positive, negative)
            return known.nearest(query[None, :], k, [named if among is None else ()], foreign=foreign)[0]
        if words is None:
            raise InputError("Give a word, a vector, or positive and negative words.")
        if isinstance(words, list | tuple) and words and not any(isinstance(item, str) for item in words):
            words = numbers(words)
        if isinstance(words, np.ndarray) and words.dtype.kind in "fiu":
            found = known.nearest(np.atleast_2d(fitting(words, self.dim)), k, foreign=foreign)
            return found[0] if words.ndim == 1 else found
        given = listed_words(listed(words))
        if among is None:
            found = self._nearest_of_words(given, k, foreign=foreign)
        else:
            found = known.nearest(self.encode(given), k, foreign=foreign)
        return found[0] if isinstance(words, str) else found

    def known_words_of(self, other: Model) -> KnownWords:
        """Return the known words of another model; raise InputError if its vectors cannot be of the same space."""
        if other.dim != self.dim:
            raise InputError(
                f"The vectors of {other.name} have {other.dim} numbers and those of {self.name} {self.dim}: "
                "their words are not in one space."
            )
        return other.known_words

    def _nearest_of_words(self, given: list[str], k: int, *, foreign: bool) -> list[Neighbours]:
        own = [self.normalise(word) for word in given]
        spare = LONGER_TERMS if "phrases" in self.known_words.sections else 0
        found = self.known_words.nearest(self.encode(given), k + spare, [{word} for word in own], foreign=foreign)
        if not spare:
            return found
        return [
            [pair for pair in pairs if not contains_term(pair[0], word)][:k]
            for word, pairs in zip(own, found, strict=True)
        ]

    def _sum_of_terms(self, positive: Terms | None, negative: Terms | None) -> tuple[FloatArray, set[str]]:
        """Return the sum of added and subtracted directions, and the words among them."""
        total, named = np.zeros(self.dim, dtype=np.float32), set[str]()
        for given, sign in ((positive, 1), (negative, -1)):
            for term in terms(given):
                if isinstance(term, str):
                    named.add(self.normalise(term))
                vector = self.encode(term) if isinstance(term, str) else fitting(np.asarray(term), self.dim)
                total += sign * unit_rows(vector.reshape(1, -1))[0]
        return total, named

    def similarity(self, first: str, second: str) -> float:
        """Return the cosine of the vectors of two words.

        Args:
            first: A word.
            second: Another word.

        Returns:
            A number from -1 to 1; 0.0 if either vector is zero.
        """
        one, other = unit_rows(self.encode([one_word(first), one_word(second)]))
        return float(np.clip(one @ other, -1.0, 1.0))

    def vectors_for(self, words: Iterable[str]) -> VectorTable:
        """Return a plain table of vectors.

        Args:
            words: Any iterable of words; repeated ones are stored once.

        Returns:
            A table with the words as they were given and their vectors.
        """
        unique = list(dict.fromkeys(listed_words(words)))
        return VectorTable(unique, self.encode(unique))

    def _normalised(self, words: Iterable[str]) -> list[str]:
        return list(map(self.normalise, listed_words(words)))
