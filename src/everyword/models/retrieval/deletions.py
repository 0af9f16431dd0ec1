"""Hashes of a word and of all spellings that leave out up to two of its characters.

Two words within edit distance d share a spelling with at most d deletions from each (the idea of SymSpell). With a
polynomial hash, H(w) = Σ c_j B^j modulo 2^64, a deletion only shifts what follows it, so the hash of a shortened
spelling comes from prefix sums: no shortened string is ever made.
"""

from __future__ import annotations

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


def deletion_hashes(words: Spellings, deletions: int) -> tuple[Hashes, IndexArray]:
    """Hashes of the words with 0 to `deletions` (at most 2) characters left out, and the word each belongs to."""
    prefix = _prefix_sums(words)
    total = prefix[:, -1]
    parts = [(total, np.arange(len(words)))]
    if deletions >= 1:
        parts.append(_one_left_out(words, prefix))
    if deletions >= 2:
        parts.append(_two_left_out(words, prefix))
    hashes, owners = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return hashes, owners


def _prefix_sums(words: Spellings) -> Hashes:
    """Column k is the hash of the first k characters; padding adds nothing."""
    width = int(words.lengths.max(initial=0))
    powers = np.cumprod(np.full(width, BASE, dtype=np.uint64)) * SHIFT_BY_ONE
    prefix = np.zeros((len(words), width + 1), dtype=np.uint64)
    np.cumsum(words.letters[:, :width].astype(np.uint64) * powers, axis=1, out=prefix[:, 1:])
    return prefix


def _one_left_out(words: Spellings, prefix: Hashes) -> tuple[Hashes, IndexArray]:
    owner, place = np.nonzero(np.arange(prefix.shape[1] - 1) < words.lengths[:, None])
    after = prefix[owner, -1] - prefix[owner, place + 1]
    return prefix[owner, place] + after * SHIFT_BY_ONE, owner


def _two_left_out(words: Spellings, prefix: Hashes) -> tuple[Hashes, IndexArray]:
    width = int(words.lengths.max(initial=0))
    first, second = np.triu_indices(width, k=1)
    owner, pair = np.nonzero(second < words.lengths[:, None])
    one, other = first[pair], second[pair]
    between = prefix[owner, other] - prefix[owner, one + 1]
    after = prefix[owner, -1] - prefix[owner, other + 1]
    return prefix[owner, one] + between * SHIFT_BY_ONE + after * SHIFT_BY_TWO, owner
