"""Stored words that may be slips: a rare word one edit from a far more frequent one is often meant to be the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import ByteArray
from everyword.models.retrieval.edit_index import EditIndex

FREQUENT = 20_000
"""Among how many of the most frequent words the word that was meant is searched for."""
NEVER_SLIPS = 5_000
"""This many of the most frequent words are never taken for slips."""
FLAT_RANKS = 50
"""The first words are nearly as frequent as one another."""
EVEN_CHANCE = 500.0
"""How many times as frequent the other word is if it is as likely to be meant; chosen on development data."""
SHORTEST = 3
"""Shorter words have too many neighbours for any of them to be likely."""


def less_sure_of_slips(words: Sequence[str], reliability: ByteArray) -> ByteArray:
    """Return reliabilities, in 255ths, less for words that may be slips.

    Args:
        words: Words of one language, most frequent first.
        reliability: Their reliabilities; more may follow, which stay as they are.
    """
    rare = words[NEVER_SLIPS:]
    if not rare:
        return reliability
    rows, distances = EditIndex(words[:FREQUENT], max_distance=1).nearest(rare)
    ranks = np.arange(NEVER_SLIPS, len(words))
    times_as_frequent = np.where(distances == 1, ranks / (np.maximum(rows, 0) + FLAT_RANKS), 0)
    times_as_frequent[np.fromiter(map(len, rare), dtype=np.int64) < SHORTEST] = 0
    sure = reliability.astype(np.float32)
    sure[NEVER_SLIPS : len(words)] *= EVEN_CHANCE / (EVEN_CHANCE + times_as_frequent)
    less_sure: ByteArray = np.rint(sure).astype(np.uint8)
    return less_sure
