"""The regular expression of a word in running text, for every alphabet that separates words by blanks."""

from __future__ import annotations

import re
import unicodedata

# Python's \w leaves out accents and vowel signs that are characters of their own.
MARKS = "".join(mark for mark in map(chr, range(0x10000)) if unicodedata.category(mark).startswith("M"))
WORD_PATTERN = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*")


def spelling(word: str) -> str:
    """Return the spelling by which a word is searched in a text: lower case, NFC, one blank between parts.

    >>> spelling("New\\t York")
    'new york'
    """
    lower = word.lower()
    return " ".join((lower if lower.isascii() else unicodedata.normalize("NFC", lower)).split())
