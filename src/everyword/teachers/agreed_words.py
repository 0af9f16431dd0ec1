"""A vocabulary that several word lists agree on, without the misspellings that all large lists are full of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from everyword.errors import InputError
from everyword.models.retrieval.spelling_index import SpellingIndex

SPELT = re.compile(r"[a-z]+(?:['-][a-z]+)*")
"""English words as dictionaries spell them, with inner apostrophes and hyphens."""
FREQUENT = 20_000
"""Words that others may be misspellings of."""
TIMES_RARER = 50
"""A misspelling stands at least so many times further down the list than the word it is one of."""
ENDING = 2
"""Letters at the end in which inflected forms differ: "receives" is no misspelling of "receive"."""


def agreed_words(
    ranked: Sequence[Sequence[str]], trusted: Sequence[str] = (), *, votes: int = 2, longest: int = 28
) -> list[str]:
    """Words that enough lists have, most frequent first.

    `ranked` lists are in order of frequency, and their mean order is the order of the result; a word of a `trusted`
    list, such as a dictionary, needs no other vote.
    """
    found = {word for words in (*ranked, trusted) for word in words if len(word) <= longest and SPELT.fullmatch(word)}
    certain = found.intersection(trusted)
    ranks = [{word: rank for rank, word in reversed(list(enumerate(words)))} for words in ranked]
    agreed = [word for word in found if word in certain or sum(word in rank_of for rank_of in ranks) >= votes]
    if not agreed:
        raise InputError(f"No word stands in {votes} of {len(ranked)} lists; are they of one language?")
    frequency = {word: np.mean([np.log(rank_of.get(word, len(rank_of)) + 1) for rank_of in ranks]) for word in agreed}
    ordered = sorted(agreed, key=lambda word: (frequency[word], word))
    misspelt = set(probable_misspellings(ordered, certain))
    return [word for word in ordered if word not in misspelt]


def probable_misspellings(words: Sequence[str], trusted: Collection[str]) -> Iterator[str]:
    """Rare words that differ by one edit, not in their ending, from a very much more frequent one."""
    index = SpellingIndex(words[:FREQUENT], max_distance=1)
    suspects = [(rank, word) for rank, word in enumerate(words) if rank >= TIMES_RARER and word not in trusted]
    places, rows, _ = index.within(1, [word for _, word in suspects])
    found = set()
    for place, row in zip(places.tolist(), rows.tolist(), strict=True):
        rank, word = suspects[place]
        if (row + 1) * TIMES_RARER <= rank + 1 and _differ_before_the_ending(word, words[row]):
            found.add(word)
    yield from found


def _differ_before_the_ending(word: str, other: str) -> bool:
    return word[:-ENDING] != other[: len(word) - ENDING] and word[:-ENDING] != other[:-ENDING]
