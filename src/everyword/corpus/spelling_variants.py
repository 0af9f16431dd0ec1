"""Rare words that are spelt and mean almost what a frequent one does: misspellings that all word lists hold, variants.

They need no vector of their own. Without one they are blended from the frequent word, which knows better.
"""

from __future__ import annotations

import numpy as np

from everyword.corpus.agreed_words import inflected
from everyword.models.retrieval.spelling_index import SpellingIndex
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

FREQUENT = 30_000
"""Words that others may be variants of."""
TIMES_RARER = 5
"""A variant stands at least so many times further down the list."""
SAME_MEANING = 0.6
"""The least cosine of a variant and its word."""
SHORTEST = 5
"""Shorter words differ by one letter from too many."""


def spelling_variants(table: VectorTable) -> set[str]:
    """The variants in a table whose words stand in order of frequency; inflected forms are none."""
    index = SpellingIndex(table.words[:FREQUENT], max_distance=1)
    asked = np.array([rank for rank, word in enumerate(table.words) if len(word) >= SHORTEST], dtype=np.int64)
    place, row, _ = index.within(1, [table.words[rank] for rank in asked.tolist()])
    rank = asked[place]
    rarer = rank + 1 >= (row + 1) * TIMES_RARER
    rank, row = rank[rarer], row[rarer]
    vectors = unit_rows(table.matrix)
    alike = np.einsum("pd,pd->p", vectors[rank], vectors[row]) >= SAME_MEANING
    pairs = zip(rank[alike].tolist(), row[alike].tolist(), strict=True)
    return {table.words[rank] for rank, row in pairs if not inflected(table.words[rank], table.words[row])}
