"""Words that a request may bring: how many, how long; what is too much is named by its index."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.web.problems import Problem, Refused
from everyword.web.settings import Limits


def check_words(words: Sequence[str], limits: Limits, most: int | None = None, field: str = "words") -> None:
    """Refuse too many words, and a word that is too long."""
    check_count(words, limits.words if most is None else most, field)
    for index, word in enumerate(words):
        check_word(word, limits, field, index)


def check_pairs(pairs: Sequence[tuple[str, str]], limits: Limits) -> None:
    """The same for pairs of words."""
    check_count(pairs, max(1, limits.words // 2), "pairs")
    for index, pair in enumerate(pairs):
        for word in pair:
            check_word(word, limits, "pairs", index)


def check_count(items: Sequence[object], most: int, field: str) -> None:
    """Refuse too many items."""
    if len(items) > most:
        told = f"This request may have {most:,} items in {field!r}. Got {len(items):,}; send them in parts."
        # The first one beyond the limit is the one that is too much.
        raise Refused(422, Problem(error=told, field=field, index=most))


def check_word(word: str, limits: Limits, field: str, index: int | None = None) -> None:
    """Refuse a word that is too long."""
    if len(word) > limits.word_length:
        which = f"{field!r}" if index is None else f"Item {index} of {field!r}"
        told = f"A word may have {limits.word_length:,} characters. {which} has {len(word):,}; is it a text?"
        raise Refused(422, Problem(error=told, field=field, index=index))
