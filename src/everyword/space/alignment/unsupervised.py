"""A start without any pair: words whose similarities to all other words are distributed alike.

Artetxe, Labaka and Agirre (ACL 2018): the sorted similarities of a word to the words of its own language hardly depend
on the language, so that they can be compared although the spaces cannot.
"""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.alignment.induction import match
from everyword.space.alignment.pairs import Pairs
from everyword.space.moments import Moments, principal_directions, single
from everyword.vectors.neighbours import unit_rows

WORDS = 4000


def start(source: FloatArray, target: FloatArray, words: int = WORDS) -> Pairs:
    """Pair the most frequent words of both sides by their sorted similarities."""
    count = min(words, len(source), len(target))
    found = match(_distributions(source[:count]), _distributions(target[:count]))
    left, right = found.pairs("union")
    return Pairs(left, right, len(left))


def _distributions(rows: FloatArray) -> FloatArray:
    """Return the sorted rows of (XXᵀ)^½, of length 1, centred, and of length 1 again."""
    values, vectors = principal_directions(Moments.of(rows).products)
    seen = values > values[0] * 1e-10
    roots = single(vectors * np.where(seen, np.where(seen, values, 1.0) ** -0.25, 0.0))
    half = rows @ roots
    similarities = half @ half.T
    similarities.sort(axis=1)
    units = unit_rows(similarities)
    return unit_rows(units - units.mean(axis=0, dtype=np.float64).astype(np.float32))
