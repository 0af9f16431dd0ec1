"""The longest common subsequence of many pairs of words at once, a bit for each letter.

The letters of a word are bits of a number. For each letter of the other word, one addition moves all that can be
matched so far (Hyyrö 2004): a few operations on arrays per letter instead of a table with a cell for every two letters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.letter_rows import Rows

Bits = NDArray[np.uint32]
_ALL = np.uint32(0xFFFFFFFF)
_BITS = np.exp2(np.arange(32))
_HALF = np.uint32(0xFFF)
_COUNTS = np.array([number.bit_count() for number in range(1 << 12)], dtype=np.uint8)


def positions_of(rows: Rows, letters: int) -> Bits:
    """Return for each word and each letter the positions at which it stands, as bits, (words · letters,).

    The letter 0 stands nowhere.
    """
    words, width = rows.shape
    places = rows + np.arange(0, words * letters, letters)[:, None]
    # Every position is a bit of its own, so a sum of them is their union, and exact in floats.
    weights = np.broadcast_to(_BITS[:width], rows.shape)
    bits = np.bincount(places.ravel(), weights.ravel(), minlength=words * letters).astype(np.uint32)
    bits[::letters] = 0
    return bits


def unmatched(positions: Bits, offset: IndexArray, others: Rows, choice: IndexArray, lengths: IndexArray) -> Bits:
    """Return the letters of each word that are not in common with another word, as bits.

    A letter is in common if what the two words have in common grows with it, as the word is read letter by letter; so
    as many are as the longest common subsequence has.

    Args:
        positions: What `positions_of` returns.
        offset: For each pair, where the positions of the word begin.
        others: Letters of other words.
        choice: For each pair, the row of `others` that is meant.
        lengths: For each pair, how many letters the other word has.

    Returns:
        For each pair the letters not in common; bits beyond the length of a word are set.

    >>> rows = np.array([[1, 2, 3, 4]], dtype=np.uint8)
    >>> other, zero = np.array([[2, 4]], dtype=np.uint8), np.array([0])
    >>> bin(unmatched(positions_of(rows, 5), zero, other, zero, np.array([2]))[0])[-4:]
    '0101'
    """
    order = np.argsort(lengths.astype(np.uint8), kind="stable")[::-1]  # longest first: the shorter ones drop out
    width = int(lengths.max(initial=0))
    columns = np.ascontiguousarray(others.take(choice.take(order), axis=0)[:, :width].T)
    going_on = len(order) - np.cumsum(np.bincount(lengths, minlength=width + 1))
    offset = offset.take(order)
    left = np.full(len(order), _ALL)
    for column, count in zip(columns, going_on.tolist(), strict=False):
        matching = positions.take(offset[:count] + column[:count])
        some = left[:count]
        matching &= some
        rest = some - matching
        some += matching
        some |= rest
    result = np.empty_like(left)
    result[order] = left
    return result


def first_bits(lengths: IndexArray) -> Bits:
    """Return numbers with as many of the lowest bits set.

    >>> first_bits(np.array([0, 3])).tolist()
    [0, 7]
    """
    bits: Bits = (np.uint32(1) << lengths.astype(np.uint32)) - np.uint32(1)
    return bits


def bit_counts(bits: Bits) -> NDArray[np.uint8]:
    """Return how many of the lowest 24 bits of each number are set.

    >>> bit_counts(np.array([0, 5, 1 << 23], dtype=np.uint32)).tolist()
    [0, 2, 1]
    """
    counts: NDArray[np.uint8] = _COUNTS.take(bits & _HALF)
    counts += _COUNTS.take(bits >> np.uint32(12) & _HALF)
    return counts
