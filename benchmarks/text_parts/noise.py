"""Texts with typos: the same for every encoder, whatever the order in which they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from everyword import registry
from everyword.text.corruption import TYPOS, Corruption

SHARE = 0.3
"""The share of words that are misspelt."""
SEED = 16
WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 4
"""Words with fewer letters are left alone."""

Misspell = Callable[[str], str]


def misspelt(text: str) -> str:
    """Return a text with a typo in three of ten of its longer words; the same text always gets the same typos.

    Each word of four letters or more is drawn for itself. A letter is dropped, put in, exchanged with its neighbour,
    or replaced by one beside it on the keyboard.

    >>> misspelt("the doctor examined the child and wrote a long letter to the hospital")
    'the doctor examined the child and wrote a long letter to the hospita'
    """
    rng, kinds = _drawn(text)
    words = (found.span() for found in WORD.finditer(text))
    return _replaced(text, [span for span in words if _long(span) and rng.random() < SHARE], rng, kinds)


def misspelt_more(text: str) -> str:
    """Return a text with typos in three of ten of all its words, as far as so many of them have four letters.

    >>> misspelt_more("the doctor examined the child and wrote a long letter to the hospital")
    'the doctor examined the chid and wrote a log letter to the hospitaal'
    """
    rng, kinds = _drawn(text)
    words = [found.span() for found in WORD.finditer(text)]
    longer, wanted = list(filter(_long, words)), SHARE * len(words)
    count = min(len(longer), int(wanted) + (rng.random() < wanted - int(wanted)))
    return _replaced(text, rng.sample(longer, count), rng, kinds)


def share_changed(clean: Sequence[str], noisy: Sequence[str]) -> float:
    """Return the share of all words that differ; a typo never adds or removes a word."""
    before, after = ([word for text in texts for word in WORD.findall(text)] for texts in (clean, noisy))
    return sum(one != other for one, other in zip(before, after, strict=True)) / len(before)


def _drawn(text: str) -> tuple[Random, list[Corruption]]:
    return Random(f"{SEED}/{text}"), [registry.corruptions.get(name) for name in TYPOS]


def _long(span: tuple[int, int]) -> bool:
    return span[1] - span[0] >= SHORTEST


def _replaced(text: str, spans: Sequence[tuple[int, int]], rng: Random, kinds: Sequence[Corruption]) -> str:
    for start, stop in sorted(spans, reverse=True):
        word = text[start:stop]
        while (typo := rng.choice(kinds)(word, rng)) == word:  # a swap cannot change "aaaa", but others can
            pass
        text = text[:start] + typo + text[stop:]
    return text
