"""Readings → vectors, origins and explanations; ordinary words and unknown parts are made by the blender."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.explanation import Explanation, Origin, Share, Source
from everyword.models.known import KnownWords
from everyword.models.readings.reader import Reader, Reading
from everyword.text.normalise import Normaliser
from everyword.text.quantities import Terms
from everyword.vectors.neighbours import rows_of_length

RELIABILITY = {"spelling": 0.95, "number": 0.85, "symbol": 0.85, "composed": 0.7, "transliterated": 0.3}
"""The expected cosine to the true vector, by kind of reading; a trained model has its own table."""

CLEAR_SHARE = 0.5
"""From this share on, a known word is what a hyphenated misspelling was meant to be."""
UNMADE = -1
"""No place among the made vectors: a text that is stored."""

Detail = TypeVar("Detail", Origin, Explanation)


class Maker(Protocol):
    """Makes vectors of normalised words that are not stored."""

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors."""

    def with_origins(self, words: Sequence[str]) -> tuple[FloatArray, list[Origin]]:
        """Return the vectors and the origin of each."""

    def with_explanations(self, words: Sequence[str]) -> tuple[FloatArray, list[Explanation]]:
        """Return the vectors and an explanation of each."""


@dataclass(frozen=True)
class Readings:
    """The part of a model that says it reads tokens; saved with the model."""

    NAME: ClassVar[str] = "readings.v1"
    reliability: dict[str, float] = field(default_factory=lambda: dict(RELIABILITY))
    """The expected cosine to the true vector, by kind of reading."""


@dataclass(frozen=True)
class Composer:
    """Vectors of tokens that are not stored as they stand."""

    known: KnownWords
    maker: Maker
    reader: Reader
    readings: Readings
    norm: float | None
    """The length of composed vectors; None gives them the mean length of their parts."""

    @classmethod
    def of(
        cls, known: KnownWords, maker: Maker, normalise: Normaliser, readings: Readings, norm: float | None
    ) -> Composer:
        """Return a composer of known words and what a maker makes."""
        return cls(known, maker, Reader(known.index, normalise), readings, norm)

    def __call__(self, tokens: Sequence[str]) -> FloatArray:
        """Return the vectors of tokens; zeros for one without letter, digit or named symbol."""
        words = list(map(self.reader.is_word, tokens))
        if all(words):
            return self.maker(tokens)
        vectors, are_words = np.empty((len(tokens), self.known.dim), dtype=np.float32), np.array(words)
        if any(words):
            vectors[are_words] = self.maker([token for token, is_word in zip(tokens, words, strict=True) if is_word])
        others = [token for token, is_word in zip(tokens, words, strict=True) if not is_word]
        vectors[~are_words] = self._read_and_made(others)
        return vectors

    def _read_and_made(self, tokens: Sequence[str]) -> FloatArray:
        read = self._settled(tokens)
        new = self._new_terms(read)
        return self._vectors(read, new, self.maker(list(new)))

    def weighted_texts(self, tokens: Sequence[str]) -> list[Terms]:
        """Return the texts that tokens are read as, each a known word or one that the maker has to make."""
        return [reading.terms for reading in self._settled(tokens)]

    def _settled(self, tokens: Sequence[str]) -> list[Reading]:
        read = list(map(self.reader.read, tokens))
        wholes = list(dict.fromkeys(reading.whole for reading in read if reading.whole))
        if not wholes:
            return read
        origins = self.maker.with_origins(wholes)[1]
        places = {whole: place for place, whole in enumerate(wholes)}
        return _settled(read, places, [origin.largest_share for origin in origins])

    def with_origins(self, tokens: Sequence[str]) -> tuple[FloatArray, list[Origin]]:
        """Return the vectors of tokens, and the origin of each."""
        read = list(map(self.reader.read, tokens))
        new = self._new_texts(read)
        made, origins = self.maker.with_origins(list(new))
        read = _settled(read, new, [origin.largest_share for origin in origins])
        return self._vectors(read, new, made), [_origin(reading, _made(reading, new, origins)) for reading in read]

    def with_explanations(self, tokens: Sequence[str]) -> tuple[FloatArray, list[Explanation]]:
        """Return the vectors of tokens, and an explanation of each."""
        read = list(map(self.reader.read, tokens))
        new = self._new_texts(read)
        made, explained = self.maker.with_explanations(list(new))
        read = _settled(read, new, [max((part.share for part in each.candidates), default=0.0) for each in explained])
        return self._vectors(read, new, made), [
            self._explanation(self.reader.normalise(token), reading, _made(reading, new, explained))
            for token, reading in zip(tokens, read, strict=True)
        ]

    def _new_texts(self, read: Sequence[Reading]) -> dict[str, int]:
        """Return the texts that are not stored, each once, and their places."""
        texts = [*self._new_terms(read), *(reading.whole for reading in read if reading.whole)]
        return {text: place for place, text in enumerate(dict.fromkeys(texts))}

    def _new_terms(self, read: Sequence[Reading]) -> dict[str, int]:
        """Return the same without the texts of which it is not clear whether they count."""
        index = self.known.index
        texts = dict.fromkeys(
            text for reading in read for text, _ in reading.terms if reading.kind == "word" or text not in index
        )
        return {text: place for place, text in enumerate(texts)}

    def _vectors(self, read: Sequence[Reading], new: dict[str, int], made: FloatArray) -> FloatArray:
        terms = [term for reading in read for term in reading.terms]
        parts = self._parts([text for text, _ in terms], new, made)
        counts = np.array([len(reading.terms) for reading in read], dtype=np.int64)
        if len(terms) == len(read) and (counts == 1).all():
            return parts
        vectors = np.zeros((len(read), self.known.dim), dtype=np.float32)
        starts, several = np.cumsum(counts) - counts, np.flatnonzero(counts > 1)
        vectors[counts == 1] = parts[starts[counts == 1]]
        if len(several):
            inside = np.repeat(counts > 1, counts)
            weights = np.array([weight for _, weight in terms], dtype=np.float32)[inside]
            vectors[several] = self._mixed(parts[inside], weights, counts[several])
        return vectors

    def _parts(self, texts: Sequence[str], new: dict[str, int], made: FloatArray) -> FloatArray:
        """Return the vectors of texts, made or stored."""
        places = np.array([new.get(text, UNMADE) for text in texts], dtype=np.int64)
        stored = np.flatnonzero(places == UNMADE)
        if not len(stored):
            return made[places]
        parts = np.empty((len(texts), self.known.dim), dtype=np.float32)
        parts[places != UNMADE] = made[places[places != UNMADE]]
        parts[stored] = self.known.rows(self.known.rows_of([texts[place] for place in stored.tolist()]))
        return parts

    def _mixed(self, parts: FloatArray, weights: FloatArray, counts: IndexArray) -> FloatArray:
        """Return the weighted sums of parts, `counts[0]` of them for the first one, of the length they should have."""
        starts = np.cumsum(counts) - counts
        norms = np.full(len(counts), self.norm or 0, dtype=np.float32)
        if self.norm is None:
            norms = np.add.reduceat(weights * np.linalg.norm(parts, axis=1), starts)
            norms /= np.add.reduceat(weights, starts)
        directions = rows_of_length(parts, 1.0)
        directions *= weights[:, None]
        mixed = rows_of_length(np.add.reduceat(directions, starts, axis=0), 1.0)
        mixed *= norms[:, None]
        return mixed

    def _explanation(self, spelt: str, reading: Reading, made: Sequence[Explanation]) -> Explanation:
        read_as = None if reading.read_as == spelt else reading.read_as
        if reading.kind == "word":
            [explained] = made
            return replace(explained, word=spelt, read_as=None if explained.word == spelt else explained.word)
        if not reading.terms:
            return Explanation(spelt, Source.NONE, (), 0.0, 0.0)
        total = sum(weight for _, weight in reading.terms)
        shares = sorted((Share(word, weight / total) for word, weight in reading.terms), key=lambda part: -part.share)
        form_share = 0.0
        if len(reading.terms) == 1 and made:
            shares, form_share = list(made[0].candidates), made[0].form_share
        return Explanation(spelt, reading.source, tuple(shares), form_share, self._confidence(reading, made), read_as)

    def _confidence(self, reading: Reading, made: Sequence[Explanation]) -> float | None:
        """Return the reliability of such readings, less for what could not be read and for parts that are unsure."""
        total, weights, doubt = sum(weight for _, weight in reading.terms), dict(reading.terms), 0.0
        for part in made:
            if part.confidence is None:
                return None
            doubt += weights[part.word] / total * (1 - part.confidence)
        return reading.understood * self.readings.reliability.get(reading.kind, 1.0) * (1 - doubt)


def _settled(read: Sequence[Reading], new: Mapping[str, int], largest_shares: Sequence[float]) -> list[Reading]:
    """Read tokens as a misspelling of one known word where that word is clear."""
    return [
        Reading("word", [(reading.whole, 1.0)])
        if reading.whole and largest_shares[new[reading.whole]] >= CLEAR_SHARE
        else reading
        for reading in read
    ]


def _made(reading: Reading, new: dict[str, int], details: list[Detail]) -> list[Detail]:
    return [details[new[text]] for text, _ in reading.terms if text in new]


def _origin(reading: Reading, made: Sequence[Origin]) -> Origin:
    if reading.kind == "word":
        return made[0]
    if not reading.terms:
        return Origin(Source.NONE, 0.0)
    weights = [weight for _, weight in reading.terms]
    return Origin(reading.source, made[0].largest_share if len(weights) == 1 and made else max(weights) / sum(weights))
