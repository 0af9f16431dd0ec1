"""Normalisation: one spelling for each word, applied before anything else.

Known words, characters and word pieces are looked up by the normalised word. The rule is saved with the model, so
"Cat", " cat" and "cat" cannot drift apart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from everyword.config import Count
from everyword.errors import InputError
from everyword.text.languages import check_language, lowered
from everyword.text.scripts import compatible

# Cc control, Cf invisible format marks (zero-width space, soft hyphen, BOM), Cs lone surrogates: none is spelling.
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs"})


@dataclass(frozen=True)
class Normaliser:
    """A rule from a raw word to its normalised spelling; saved with the model.

    >>> Normaliser()("  Na\\u0131\\u0308ve ")
    'naı̈ve'
    >>> Normaliser(strip_accents=True)("Café")
    'cafe'
    >>> Normaliser(language="tr")("ISI"), Normaliser(language="tr")("İstanbul")
    ('ısı', 'istanbul')
    """

    lowercase: bool = True
    strip_accents: bool = False
    compatible: bool = False
    """Turn ligatures, full-width letters and other compatibility characters into plain ones (NFKC), and typographic
    apostrophes and hyphens too."""
    max_length: Count = 64
    """Characters beyond this many are cut off: no word is longer, and attention over 10,000 letters is useless."""
    language: str = ""
    """The code of the language, such as "tr": in some languages capitals become other small letters than elsewhere."""

    def problems(self) -> Iterator[str]:
        """Yield a message for a language that does not exist."""
        if self.language:
            yield from check_language(self.language)

    def __call__(self, word: str) -> str:
        """Return the normalised word; it may be empty."""
        if not (word.isascii() and word.isprintable()):
            word = self._fold_unicode(word)
        if self.lowercase:
            word = lowered(word, self.language)
        word = " ".join(word.split())
        return word if len(word) <= self.max_length else word[: self.max_length].rstrip()

    def all(self, words: list[str]) -> list[str]:
        """Return the normalised words; the list itself if none of them changes."""
        text = "".join(words)
        plain = (
            text.isascii() and text.isprintable() and " " not in text and not (self.lowercase and text != text.lower())
        )
        if plain and max(map(len, words), default=0) <= self.max_length:
            return words
        return list(map(self, words))

    def described(self) -> dict[str, Any]:
        """Return the rule as plain values; a rule that older versions of everyword know, as they write it."""
        described = asdict(self)
        if not self.compatible:
            del described["compatible"]
        if not self.language:
            del described["language"]
        return described

    def _fold_unicode(self, word: str) -> str:
        if self.compatible:
            word = compatible(word)
        # White space first: tabs and line ends are control characters, but they separate rather than vanish.
        word = " ".join(word.split())
        if self.lowercase:
            word = lowered(word, self.language)
        word = unicodedata.normalize("NFD" if self.strip_accents else "NFC", word)
        word = "".join(character for character in word if self._is_spelling(character))
        return unicodedata.normalize("NFC", word)

    def _is_spelling(self, character: str) -> bool:
        category = unicodedata.category(character)
        return category not in INVISIBLE_CATEGORIES and not (self.strip_accents and category == "Mn")


def listed_words(words: Iterable[str]) -> list[str]:
    """Return the words as a list; raise InputError for items that are not text, and for a single text."""
    if isinstance(words, str):
        raise InputError(f"A list of words is needed. Got the single text {words!r}; write [{words!r}].")
    if not isinstance(words, Iterable):
        raise InputError(f"A list of words is needed. Got {words!r}, of type {type(words).__name__}, instead.")
    listed = list(words)
    for index, word in enumerate(listed):
        if not isinstance(word, str):
            raise InputError(f"Words must be text. Item {index} is {word!r}, of type {type(word).__name__}.")
    return listed
