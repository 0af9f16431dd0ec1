"""Text → words and marks: what n-grams are counted over, and what is read by them.

A word is the number of its row among the words that a model stores. All else is one of a few marks: the end of a
sentence, a comma or bracket, a number, and everything unknown. Quotation marks are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.known import WORDS, KnownWords
from everyword.sentences.tokens import TOKEN
from everyword.text.normalise import Normaliser

ENDS, COMMAS, SYMBOLS = r"[.?!…]+|\n\s*\n", r"[,;:()\[\]–—]+", r"[*=<>|~^\\/_&%$]+"
ITEM = re.compile(f"{TOKEN.pattern}|{ENDS}|{COMMAS}|{SYMBOLS}")
"""A token, the end of a sentence, another mark, or characters of code and markup."""
_TOLD_ITEM = re.compile(f"({TOKEN.pattern})|({ENDS})|{COMMAS}|{SYMBOLS}")
NOT_ENDS = frozenset(["mr", "mrs", "ms", "dr", "st", "prof", "rev", "gen", "col", "lt", "jr", "sr", "vs", "no", "vol"])
"""Abbreviations after which a full stop does not end a sentence."""
POSSESSIVE = "'s"
MARKS = 4
REMEMBERED = 1 << 18
"""Different tokens whose numbers are remembered."""


class Item(NamedTuple):
    """A token or mark, and where it stands."""

    text: str
    begin: int
    end: int
    is_token: bool
    begins: bool
    """Whether it is the first token of a sentence."""


def items_of(text: str) -> Iterator[Item]:
    """Yield the tokens and marks of a text.

    >>> [item.text for item in items_of('Mr. Wu said: "Come here."') if item.begins]
    ['Mr']
    """
    begins, before = True, ""
    for found in _TOLD_ITEM.finditer(text):
        if found[1] is not None:
            yield Item(found[0], *found.span(), True, begins)
            begins, before = False, found[0]
        else:
            yield Item(found[0], *found.span(), False, False)
            begins |= found[2] is not None and not (found[2] == "." and before.lower() in NOT_ENDS)


class Numbering:
    """The numbers of words and marks."""

    def __init__(self, known: KnownWords, normalise: Normaliser) -> None:
        self.known, self.normalise = known, normalise
        self.words = len(known.sections[WORDS])
        """How many words are stored; numbers from here on are marks."""
        self.unknown, self.number, self.end, self.comma = range(self.words, self.words + MARKS)
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return self.words + MARKS

    def of_text(self, text: str) -> list[int]:
        """Return the numbers of the words and marks of a text, with an end before and after it."""
        return [self.end, *self.of_items(ITEM.findall(text)), self.end]

    def of_items(self, items: Sequence[str]) -> list[int]:
        """Return the numbers of tokens and marks."""
        numbers = self._numbers
        try:
            return [numbers[item] for item in items]
        except KeyError:
            if len(numbers) > REMEMBERED:  # a new one, since other threads may still read the old one
                numbers = self._numbers = {}
            new = [item for item in dict.fromkeys(items) if item not in numbers]
            numbers.update(zip(new, self._looked_up(new), strict=True))
            return [numbers[item] for item in items]

    def _looked_up(self, items: list[str]) -> list[int]:
        plain = [word.replace("’", "'") for word in self.normalise.all(items)]
        rows, stem_rows = self.rows_of(plain), self.rows_of([word.removesuffix(POSSESSIVE) for word in plain])
        numbers = np.where(rows < 0, stem_rows, rows).tolist()
        return [
            number if number >= 0 and item[0].isalpha() else self._mark_of(item)
            for number, item in zip(numbers, items, strict=True)
        ]

    def _mark_of(self, item: str) -> int:
        if item[0] in ".?!…\n":
            return self.end
        if item[0] in ",;:()[]–—" and not any(map(str.isalnum, item)):
            return self.comma
        return self.number if any(map(str.isdigit, item[:2])) else self.unknown

    def rows_of(self, words: Sequence[str]) -> IndexArray:
        """Return the numbers of normalised words, -1 for those that are not stored as words of the language."""
        rows = self.known.rows_of(words)
        return np.where(rows < self.words, rows, -1)
