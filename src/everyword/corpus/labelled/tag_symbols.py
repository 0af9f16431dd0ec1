"""Tags that are made of symbols: how they are split and put together again, and which are well formed.

A tag such as `NOUN|Case=Nom|Number=Sing` of Universal Dependencies, or a category such as `(S\\NP)/NP` of combinatory
categorial grammar, is one of very many, but its symbols are few. A tagger that spells tags can give one that it has
never seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from everyword.errors import InputError, did_you_mean

_CATEGORY = re.compile(r"[()/\\]|[^()/\\]+")


class TagSymbols(Protocol):
    """A way to spell tags."""

    def split(self, tag: str) -> list[str]:
        """Return the symbols of a tag, one or more."""

    def join(self, symbols: Sequence[str]) -> str:
        """Return the tag of symbols, whatever they are."""

    def valid(self, tag: str) -> bool:
        """Whether a tag is well formed."""


class FeatureTags:
    """A part of speech and features, `NOUN|Case=Nom|Number=Sing`: each of them is a symbol."""

    def split(self, tag: str) -> list[str]:
        """Return the symbols of a tag.

        >>> FeatureTags().split("NOUN|Case=Nom|Number=Sing")
        ['NOUN', 'Case=Nom', 'Number=Sing']
        """
        return tag.split("|")

    def join(self, symbols: Sequence[str]) -> str:
        """Return the tag of symbols."""
        return "|".join(symbols)

    def valid(self, tag: str) -> bool:
        """Whether a tag is a part of speech and then features in alphabetical order, none of them twice.

        >>> [FeatureTags().valid(tag) for tag in ("X", "NOUN|Case=Nom", "Case=Nom", "NOUN|Case=Nom|Case=Gen")]
        [True, True, False, False]
        """
        first, *features = self.split(tag)
        names = [feature.partition("=") for feature in features]
        keys = [name.lower() for name, _, _ in names]
        whole = all(name and equals and value for name, equals, value in names)
        return bool(first) and "=" not in first and whole and keys == sorted(set(keys))


class CategoryTags:
    """Categories with slashes and brackets, `(S[dcl]\\NP)/NP`: symbols are these and what stands between them."""

    def split(self, tag: str) -> list[str]:
        r"""Return the symbols of a category.

        >>> CategoryTags().split(r"(S[dcl]\NP)/NP")
        ['(', 'S[dcl]', '\\', 'NP', ')', '/', 'NP']
        """
        return _CATEGORY.findall(tag)

    def join(self, symbols: Sequence[str]) -> str:
        r"""Return the category of symbols, without brackets that say nothing; unbalanced ones stay.

        >>> CategoryTags().join(["(", "(", "S", "\\", "NP", ")", ")", "/", "(", "NP", ")"])
        '(S\\NP)/NP'
        >>> CategoryTags().join(["(", "S", "/", "NP"])
        '(S/NP'
        """
        pairs = _pairs(symbols)
        if pairs is None:
            return "".join(symbols)
        dropped: set[int] = set()
        for first, last in pairs.items():
            inner = pairs.get(first + 1) == last - 1
            if last - first <= 2 or inner or (first == 0 and last == len(symbols) - 1):
                dropped |= {first, last}
        if dropped:
            return self.join([symbol for place, symbol in enumerate(symbols) if place not in dropped])
        return "".join(symbols)

    def valid(self, tag: str) -> bool:
        r"""Whether brackets are balanced, and slashes stand between categories.

        >>> [CategoryTags().valid(tag) for tag in ("NP", r"(S\NP)/NP", "S/", "(S/NP", "S(NP)")]
        [True, True, False, False, False]
        """
        if _pairs(self.split(tag)) is None:
            return False
        flat = re.sub(r"[^()/\\]+", "x", tag)
        while (shorter := re.sub(r"\(x\)|x[/\\]x", "x", flat)) != flat:
            flat = shorter
        return flat == "x"


class WholeTags:
    """A tag is one symbol: what is not spelt."""

    def split(self, tag: str) -> list[str]:
        """Return the tag."""
        return [tag]

    def join(self, symbols: Sequence[str]) -> str:
        """Return the tag."""
        return symbols[0]

    def valid(self, tag: str) -> bool:
        """Any tag is."""
        return True


SPELLINGS: dict[str, TagSymbols] = {"features": FeatureTags(), "categories": CategoryTags(), "whole": WholeTags()}


def spelling_of(name: str) -> TagSymbols:
    """Return a way to spell tags by its name."""
    if name not in SPELLINGS:
        raise InputError(f"There is no way to spell tags called {name!r}: {did_you_mean(name, SPELLINGS)}")
    return SPELLINGS[name]


def spelling_for(tags: Iterable[Sequence[str]]) -> str:
    """Return the name of the spelling for the tags of sentences: categories if they have slashes, or else features.

    >>> spelling_for([["NOUN|Case=Nom", "PUNCT"]]), spelling_for([["NP", "S/NP"]])
    ('features', 'categories')
    """
    found = {symbol for sentence in tags for tag in sentence for symbol in "|/\\" if symbol in tag}
    return "categories" if found and "|" not in found else "features"


def _pairs(symbols: Sequence[str]) -> dict[int, int] | None:
    """Return the place of the closing bracket of each opening one, or None if they are not balanced."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for place, symbol in enumerate(symbols):
        if symbol == "(":
            opened.append(place)
        elif symbol == ")":
            if not opened:
                return None
            found[opened.pop()] = place
    return None if opened else found
