"""Words as callers give them."""

from __future__ import annotations

from collections.abc import Iterable

from everyword.errors import InputError


def listed_words(words: Iterable[str]) -> list[str]:
    """The words as a list; refuses what is no text, and one text where a list is meant."""
    if isinstance(words, str):
        raise InputError(f"A list of words is needed. Got the single text {words!r}; write [{words!r}].")
    listed = list(words)
    for place, word in enumerate(listed):
        if not isinstance(word, str):
            raise InputError(f"Words must be text. Item {place} is {word!r}, of type {type(word).__name__}.")
    return listed
