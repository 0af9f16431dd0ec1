"""Choose a vocabulary: words that several lists agree on, without misspellings and spelling variants.

A rare word that is spelt almost like a frequent one and means almost the same needs no vector of its own. Without one
it is blended from the frequent word, whose vector is better.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.models.retrieval.edit_index import EditIndex
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

SPELT = re.compile(r"[a-z]+(?:['-][a-z]+)*")
"""English words as dictionaries spell them, with inner apostrophes and hyphens."""
FREQUENT_WORDS = 20_000
"""How many words others may be misspellings of."""
COMMON = 5_000
"""The first words of every list need no vote of another: few tables have contractions such as "don't"."""
MISSPELLING_RARITY = 50
"""How many times further down the list a misspelling must stand than its word."""
ENDINGS = frozenset("adenrsy")
"""Last letters by which a form differs from its word: "receives" is not a misspelling of "receive"."""

VARIANT_BASES = 30_000
"""How many words others may be variants of."""
VARIANT_RARITY = 5
"""How many times further down the list a variant must stand than its word."""
SAME_MEANING = 0.6
"""The minimum cosine of a variant and its word."""
SHORTEST_VARIANT = 5
"""Shorter words differ by one letter from too many others."""

Ranks = Mapping[str, int]
"""The rank of each word of a list, from 0."""


def agreed_words(
    ranked: Sequence[Sequence[str]], trusted: Sequence[str] = (), *, votes: int = 2, longest: int = 28
) -> list[str]:
    """Return the words that enough lists have, most frequent first.

    A word that is among the first of a ranked list, or in the trusted list, needs no other vote and is never taken for
    a misspelling. Nor is a word of all lists, where these are more than the votes it needed.

    Args:
        ranked: Lists in order of frequency. The result is ordered by the mean logarithmic rank of its words in them.
        trusted: Words of a dictionary.
        votes: How many lists must have a word.
        longest: The maximum number of characters of a word.
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
    """Return the first rank of each word."""
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words):
        ranks.setdefault(word, rank)
    return ranks


def _mean_log_rank(word: str, ranks: Sequence[Ranks]) -> float:
    """Return the mean logarithmic rank; a list that lacks the word counts as if the word came after its last one."""
    return float(np.mean([np.log(rank_of.get(word, len(rank_of)) + 1) for rank_of in ranks]))


def probable_misspellings(words: Sequence[str], beyond_doubt: Collection[str]) -> set[str]:
    """Return rare words that differ by one edit from a much more frequent word and are not inflected forms of it."""
    suspects = [rank for rank, word in enumerate(words) if word not in beyond_doubt]
    ranks, rows = _close_to_frequent(words, suspects, FREQUENT_WORDS, MISSPELLING_RARITY)
    return _not_inflected(words, ranks, rows)


def spelling_variants(table: VectorTable) -> set[str]:
    """Return the spelling variants in a table whose words are in order of frequency, without inflected forms."""
    suspects = [rank for rank, word in enumerate(table.words) if len(word) >= SHORTEST_VARIANT]
    ranks, rows = _close_to_frequent(table.words, suspects, VARIANT_BASES, VARIANT_RARITY)
    vectors = unit_rows(table.matrix)
    similar = np.einsum("pd,pd->p", vectors[ranks], vectors[rows]) >= SAME_MEANING
    return _not_inflected(table.words, ranks[similar], rows[similar])


def _close_to_frequent(
    words: Sequence[str], suspects: Sequence[int], frequent: int, rarity: int
) -> tuple[IndexArray, IndexArray]:
    """Return pairs of ranks: of a suspect, and of a frequent word, `rarity` times further up, that is one edit away."""
    index = EditIndex(words[:frequent], max_distance=1)
    found, rows, _ = index.within(1, [words[rank] for rank in suspects])
    ranks = np.array(suspects, dtype=np.int64)[found]
    rarer = ranks + 1 >= (rows + 1) * rarity
    return ranks[rarer], rows[rarer]


def _not_inflected(words: Sequence[str], ranks: IndexArray, rows: IndexArray) -> set[str]:
    pairs = zip(ranks.tolist(), rows.tolist(), strict=True)
    return {words[rank] for rank, row in pairs if not _inflected(words[rank], words[row])}


def _inflected(word: str, other: str) -> bool:
    """Return whether two words differ only in a last letter that English inflects words with."""
    shorter, longer = sorted((word, other), key=len)
    stem = longer[:-1]
    return longer[-1] in ENDINGS and stem in (shorter, shorter[:-1])
