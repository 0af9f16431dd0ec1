"""Hashes of a word and of all spellings that leave out up to two of its characters.

Two words within edit distance d share a spelling with at most d deletions from each (the idea of SymSpell). With a
polynomial hash, H(w) = Σ c_j B^(j+1) modulo 2^64, a deletion only shifts what follows it, so the hash of a shortened
spelling comes from prefix sums: no shortened string is ever made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.spellings import Spellings

Hashes = NDArray[np.uint64]

BASE = 0x9E3779B97F4A7C15
"""Odd, so that it has an inverse modulo 2^64."""
SHIFT_BY_ONE = np.uint64(pow(BASE, -1, 1 << 64))
SHIFT_BY_TWO = np.uint64(pow(BASE, -2, 1 << 64))
"""Factors that move what follows one or two deletions to its new place."""
KEPT_WIDTH = 64
"""Of words up to this length the ways to leave out letters are kept: those of very long ones would fill the memory."""


@dataclass(frozen=True)
class Deletions:
    """Spellings that leave out letters of words."""

    hashes: Hashes
    owner: IndexArray
    """The word that each belongs to."""
    way: IndexArray
    """Its place in `ways`."""
    ways: Ways


@dataclass(frozen=True)
class Ways:
    """All ways to leave out letters of a word up to a width."""

    width: int
    first: IndexArray
    second: IndexArray
    """The places left out; `width` stands for none."""
    count: IndexArray
    """How many are left out."""
    needed: IndexArray
    """How long a word must be."""


@lru_cache(maxsize=64)
def ways_to_delete(width: int, deletions: int) -> Ways:
    """The ways to leave out 0 to `deletions` (at most 2) letters."""
    none, one = np.array([width]), np.arange(width if deletions >= 1 else 0)
    first, second = np.triu_indices(width if deletions >= 2 else 0, k=1)
    seconds = np.concatenate([none, np.full(len(one), width), second])
    return Ways(
        width,
        np.concatenate([none, one, first]),
        seconds,
        np.repeat([0, 1, 2], [1, len(one), len(first)]),
        np.concatenate([none - width, one + 1, second + 1]),
    )


def leave_out(words: Spellings, deletions: int) -> Deletions:
    """The words with 0 to `deletions` letters left out in all ways."""
    prefix = _prefix_sums(words)
    columns = prefix.shape[1]
    keep = columns - 2 <= KEPT_WIDTH
    ways = (ways_to_delete if keep else ways_to_delete.__wrapped__)(columns - 2, deletions)
    owner, way = np.nonzero(ways.needed <= words.lengths[:, None])
    row, one, other = owner * columns, ways.first[way], ways.second[way]
    flat = prefix.ravel()
    until_other, until_one = flat[row + other], flat[row + one]
    one += row + 1
    other += row + 1
    hashes = until_one + (until_other - flat[one]) * SHIFT_BY_ONE + (prefix[owner, -1] - flat[other]) * SHIFT_BY_TWO
    return Deletions(hashes, owner, way, ways)


def deletion_hashes(words: Spellings, deletions: int) -> tuple[Hashes, IndexArray]:
    """Hashes of the words with 0 to `deletions` (at most 2) characters left out, and the word each belongs to."""
    left_out = leave_out(words, deletions)
    return left_out.hashes, left_out.owner


def _prefix_sums(words: Spellings) -> Hashes:
    """Column k is the hash of the first k characters; padding adds nothing.

    The last column stands once more, so that leaving out what follows the longest word changes nothing.
    """
    width = int(words.lengths.max(initial=0))
    prefix = np.zeros((len(words), width + 2), dtype=np.uint64)
    np.cumsum(words.letters[:, : width + 1] * _powers(width + 1), axis=1, out=prefix[:, 1:])
    return prefix


@lru_cache(maxsize=64)
def _powers(width: int) -> Hashes:
    # The first letter too is multiplied: only the highest bits of a hash tell spellings apart.
    powers: Hashes = np.cumprod(np.full(width, BASE, dtype=np.uint64), dtype=np.uint64)
    return powers
