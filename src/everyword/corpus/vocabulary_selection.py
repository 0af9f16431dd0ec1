"""Choose a vocabulary: words that several lists agree on, without misspellings and spelling variants.

A rare word that is spelt almost like a frequent one and means almost the same needs no vector of its own. Without one
it is blended from the frequent word, whose vector is better.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from everyword.errors import InputError
from everyword.models.retrieval.spelling_index import SpellingIndex
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

SPELT = re.compile(r"[a-z]+(?:['-][a-z]+)*")
"""English words as dictionaries spell them, with inner apostrophes and hyphens."""
FREQUENT_WORDS = 20_000
"""Words that others may be misspellings of."""
COMMON = 5_000
"""The first words of every list need no vote of another: contractions such as "don't" stand in few tables."""
MISSPELLING_RARITY = 50
"""A misspelling stands at least so many times further down the list than the word it is one of."""
ENDINGS = frozenset("adenrsy")
"""Last letters by which a form differs from its word: "receives" and "receiver" are no misspellings of "receive"."""

Ranks = Mapping[str, int]
"""Where each word of a list stands, from 0."""


def agreed_words(
    ranked: Sequence[Sequence[str]], trusted: Sequence[str] = (), *, votes: int = 2, longest: int = 28
) -> list[str]:
    """Words that enough lists have, most frequent first.

    `ranked` lists are in order of frequency, and the order of the result is that of their mean logarithmic ranks. A
    word of a `trusted` list, such as a dictionary, or among the first of a ranked one needs no other vote and is not
    taken for a misspelling; nor is a word of all lists, where that is more than the votes it needed.
    """
    found = {word for words in (*ranked, trusted) for word in words if len(word) <= longest and SPELT.fullmatch(word)}
    certain = found.intersection({*trusted, *(word for words in ranked for word in words[:COMMON])})
    ranks = [_ranks(words) for words in ranked]
    agreed = [word for word in found if word in certain or sum(word in rank_of for rank_of in ranks) >= votes]
    if not agreed:
        raise InputError(f"No word stands in {votes} of {len(ranked)} lists; are they of one language?")
    rarity = {word: _mean_log_rank(word, ranks) for word in agreed}
    ordered = sorted(agreed, key=lambda word: (rarity[word], word))
    in_all_lists = set.intersection(*map(set, ranked)) if len(ranked) > votes else set()
    misspelt = probable_misspellings(ordered, certain | in_all_lists)
    return [word for word in ordered if word not in misspelt]


def _ranks(words: Sequence[str]) -> Ranks:
    """The rank of each word; of a word that stands there twice the first."""
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words):
        ranks.setdefault(word, rank)
    return ranks


def _mean_log_rank(word: str, ranks: Sequence[Ranks]) -> float:
    """A list that lacks the word counts as if it stood behind its last one."""
    return float(np.mean([np.log(rank_of.get(word, len(rank_of)) + 1) for rank_of in ranks]))


def probable_misspellings(words: Sequence[str], beyond_doubt: Collection[str]) -> set[str]:
    """Rare words that differ by one edit, and not as inflected forms do, from a very much more frequent one."""
    index = SpellingIndex(words[:FREQUENT_WORDS], max_distance=1)
    suspects = [(rank, word) for rank, word in enumerate(words) if word not in beyond_doubt]
    places, rows, _ = index.within(1, [word for _, word in suspects])
    pairs = ((*suspects[place], row) for place, row in zip(places.tolist(), rows.tolist(), strict=True))
    return {
        word
        for rank, word, row in pairs
        if rank + 1 >= (row + 1) * MISSPELLING_RARITY and not inflected(word, words[row])
    }


def inflected(word: str, other: str) -> bool:
    """Whether two words differ in nothing but a last letter that English forms words with."""
    shorter, longer = sorted((word, other), key=len)
    stem = longer[:-1]
    return longer[-1] in ENDINGS and stem in (shorter, shorter[:-1])


VARIANT_BASES = 30_000
"""Words that others may be variants of."""
VARIANT_RARITY = 5
"""A variant stands at least so many times further down the list."""
SAME_MEANING = 0.6
"""The least cosine of a variant and its word."""
SHORTEST_VARIANT = 5
"""Shorter words differ by one letter from too many."""


def spelling_variants(table: VectorTable) -> set[str]:
    """The variants in a table whose words stand in order of frequency; inflected forms are none."""
    index = SpellingIndex(table.words[:VARIANT_BASES], max_distance=1)
    asked = np.array([rank for rank, word in enumerate(table.words) if len(word) >= SHORTEST_VARIANT], dtype=np.int64)
    place, row, _ = index.within(1, [table.words[rank] for rank in asked.tolist()])
    rank = asked[place]
    rarer = rank + 1 >= (row + 1) * VARIANT_RARITY
    rank, row = rank[rarer], row[rarer]
    vectors = unit_rows(table.matrix)
    alike = np.einsum("pd,pd->p", vectors[rank], vectors[row]) >= SAME_MEANING
    pairs = zip(rank[alike].tolist(), row[alike].tolist(), strict=True)
    return {table.words[rank] for rank, row in pairs if not inflected(table.words[rank], table.words[row])}
