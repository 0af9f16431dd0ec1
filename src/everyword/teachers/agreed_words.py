"""A vocabulary that several word lists agree on, without the misspellings that all large lists are full of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

from everyword.errors import InputError
from everyword.models.retrieval.spelling_index import SpellingIndex

SPELT = re.compile(r"[a-z]+(?:['-][a-z]+)*")
"""English words as dictionaries spell them, with inner apostrophes and hyphens."""
FREQUENT = 20_000
"""Words that others may be misspellings of."""
COMMON = 5_000
"""The first words of every list need no vote of another: contractions such as "don't" stand in few tables."""
TIMES_RARER = 50
"""A misspelling stands at least so many times further down the list than the word it is one of."""
ENDINGS = frozenset("adenrsy")
"""Last letters by which a form differs from its word: "receives" and "receiver" are no misspellings of "receive"."""


def agreed_words(
    ranked: Sequence[Sequence[str]], trusted: Sequence[str] = (), *, votes: int = 2, longest: int = 28
) -> list[str]:
    """Words that enough lists have, most frequent first.

    `ranked` lists are in order of frequency, and their mean order is the order of the result. A word of a `trusted`
    list, such as a dictionary, needs no other vote; neither it nor a word of all lists is taken for a misspelling.
    """
    found = {word for words in (*ranked, trusted) for word in words if len(word) <= longest and SPELT.fullmatch(word)}
    certain = found.intersection({*trusted, *(word for words in ranked for word in words[:COMMON])})
    ranks = [{word: rank for rank, word in reversed(list(enumerate(words)))} for words in ranked]
    agreed = [word for word in found if word in certain or sum(word in rank_of for rank_of in ranks) >= votes]
    if not agreed:
        raise InputError(f"No word stands in {votes} of {len(ranked)} lists; are they of one language?")
    frequency = {word: np.mean([np.log(rank_of.get(word, len(rank_of)) + 1) for rank_of in ranks]) for word in agreed}
    ordered = sorted(agreed, key=lambda word: (frequency[word], word))
    beyond_doubt = certain.union(*[set.intersection(*map(set, ranked))] if len(ranked) > votes else [])
    misspelt = probable_misspellings(ordered, beyond_doubt)
    return [word for word in ordered if word not in misspelt]


def probable_misspellings(words: Sequence[str], beyond_doubt: Collection[str]) -> set[str]:
    """Rare words that differ by one edit, and not as inflected forms do, from a very much more frequent one."""
    index = SpellingIndex(words[:FREQUENT], max_distance=1)
    suspects = [(rank, word) for rank, word in enumerate(words) if word not in beyond_doubt]
    places, rows, _ = index.within(1, [word for _, word in suspects])
    pairs = ((*suspects[place], row) for place, row in zip(places.tolist(), rows.tolist(), strict=True))
    return {
        word for rank, word, row in pairs if rank + 1 >= (row + 1) * TIMES_RARER and not _inflected(word, words[row])
    }


def _inflected(word: str, other: str) -> bool:
    """Whether two words differ in nothing but a last letter that English forms words with."""
    shorter, longer = sorted((word, other), key=len)
    stem = longer[:-1]
    return longer[-1] in ENDINGS and stem in (shorter, shorter[:-1])
