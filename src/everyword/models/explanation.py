"""Explanations: where a vector comes from, and how reliable it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from everyword.text.scripts import in_other_letters


class Source(str, Enum):
    """Where a vector comes from."""

    KNOWN = "known"
    """Stored with the model."""
    RETRIEVED = "retrieved"
    """Mostly that of known words of similar spelling; in an adapted model also that of the same word in its base."""
    INFERRED = "inferred"
    """Made from the word's own spelling."""
    COMPOSED = "composed"
    """Made from the parts of a token: the words of a phrase, a hashtag or a hyphenated word."""
    NUMBER = "number"
    """Made from words for a number's value and kind."""
    SYMBOL = "symbol"
    """Made from words for an emoji or another symbol."""
    TRANSLITERATED = "transliterated"
    """That of a word of another script, spelt in Latin letters, or of known words that it sounds like."""
    NONE = "none"
    """Nothing is known about the word (empty, blank, only unknown characters): the vector is zero."""

    # Versions of Python differ in what they print for an enumeration of texts.
    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)


def source_of(form_share: float, word: str = "", found: str | None = None) -> Source:
    """Return the source of an unknown word.

    Args:
        form_share: The share of its vector that comes from its spelling.
        word: The word.
        found: The known word that has the greatest share.

    >>> source_of(0.2, "москва", "moskva"), source_of(0.2, "moskwa", "moskva"), source_of(0.8)
    (<Source.TRANSLITERATED: 'transliterated'>, <Source.RETRIEVED: 'retrieved'>, <Source.INFERRED: 'inferred'>)
    """
    if form_share > 0.5:
        return Source.INFERRED
    return Source.TRANSLITERATED if found is not None and in_other_letters(word, found) else Source.RETRIEVED


class Origin(NamedTuple):
    """The source of a vector, in short, for large batches."""

    source: Source
    largest_share: float
    """The largest share that one known word has in the vector."""


@dataclass(frozen=True)
class Share:
    """A known word and its share of a vector."""

    word: str
    share: float


@dataclass(frozen=True)
class Explanation:
    """How the vector of a word was made."""

    word: str
    """The normalised word."""
    source: Source
    candidates: tuple[Share, ...]
    """Known words that the vector is blended from, the greatest share first; none if it is stored. Of a composed vector
    also parts that are not known themselves."""
    form_share: float
    """The share of the vector that comes from the word's own spelling."""
    confidence: float | None
    """The expected cosine to the true vector; for a stored one, how much the model was told about the word. None if the
    model was never calibrated."""
    read_as: str | None = None
    """What a token was read as, such as "third" for 3rd; None for a word that was read as it is."""

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values, ready for JSON."""
        return {
            "word": self.word,
            "source": self.source.value,
            "confidence": self.confidence,
            "candidates": [{"word": share.word, "share": share.share} for share in self.candidates],
            "form_share": self.form_share,
            "read_as": self.read_as,
        }

    def __str__(self) -> str:
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        parts = [f"{share.word} {share.share:.0%}" for share in self.candidates]
        if self.candidates and self.form_share >= 0.005:
            parts.append(f"its own spelling {self.form_share:.0%}")
        read = f", read as {self.read_as}" if self.read_as else ""
        return f"{self.word}: {self.source.value}{read}{sure}" + (f" ({', '.join(parts)})" if parts else "")
