"""One spelling for each word, decided before anything else looks at it.

Known words, characters and word pieces all see the normalised word, and the rule is saved with the model, so
"Cat", " cat" and "cat" cannot drift apart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from everyword.errors import InputError

# Cc control, Cf invisible format marks (zero-width space, soft hyphen, BOM), Cs lone surrogates: none is spelling.
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs"})


@dataclass(frozen=True)
class Normaliser:
    """The rule from a raw word to its normalised spelling; itself the record that is saved.

    >>> Normaliser()("  Na\\u0131\\u0308ve ")
    'naı̈ve'
    >>> Normaliser(strip_accents=True)("Café")
    'cafe'
    """

    lowercase: bool = True
    strip_accents: bool = False
    max_length: int = 64
    """Characters beyond this many are cut off: no word is longer, and attention over 10,000 letters is no use."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        return [] if self.max_length >= 1 else [f"max_length must be 1 or more. Got {self.max_length} instead"]

    def __call__(self, word: str) -> str:
        """The normalised word; it may be empty."""
        if not (word.isascii() and word.isprintable()):
            word = self._fold_unicode(word)
        if self.lowercase:
            word = word.lower()
        word = " ".join(word.split())
        return word if len(word) <= self.max_length else word[: self.max_length].rstrip()

    def _fold_unicode(self, word: str) -> str:
        # White space first: tabs and line ends are control characters, but they separate rather than vanish.
        word = " ".join(word.split())
        if self.lowercase:
            word = word.lower()
        word = unicodedata.normalize("NFD" if self.strip_accents else "NFC", word)
        word = "".join(character for character in word if self._is_spelling(character))
        return unicodedata.normalize("NFC", word)

    def _is_spelling(self, character: str) -> bool:
        category = unicodedata.category(character)
        return category not in INVISIBLE_CATEGORIES and not (self.strip_accents and category == "Mn")


def listed_words(words: Iterable[str]) -> list[str]:
    """The words as a list; refuses what is no text, and one text where a list is meant."""
    if isinstance(words, str):
        raise InputError(f"A list of words is needed. Got the single text {words!r}; write [{words!r}].")
    listed = list(words)
    for place, word in enumerate(listed):
        if not isinstance(word, str):
            raise InputError(f"Words must be text. Item {place} is {word!r}, of type {type(word).__name__}.")
    return listed
