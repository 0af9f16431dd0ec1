"""The longest common subsequence of many pairs of words at once, a bit for each letter.

The letters of a word are bits of a number. For each letter of the other word, one addition moves all that can be
matched so far (Hyyrö 2004): a few operations on arrays per letter instead of a table with a cell for every two letters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.letter_rows import Rows

Bits = NDArray[np.uint32]
_ALL = np.uint32(0xFFFFFFFF)
_COUNTS = np.array([number.bit_count() for number in range(1 << 12)], dtype=np.uint8)


@dataclass(frozen=True)
class Positions:
    """For each word and each letter, the positions at which the letter stands, as bits."""

    bits: Bits
    """(words · letters,)"""
    letters: int

    @classmethod
    def of(cls, rows: Rows, letters: int) -> Positions:
        """Return the positions of letters in rows; the letter 0 stands nowhere."""
        words, width = rows.shape
        places = np.arange(0, words * letters, letters)[:, None] + rows
        # Every position is a bit of its own, so a sum of them is their union, and exact in floats.
        weights = np.broadcast_to(np.exp2(np.arange(width)), rows.shape)
        bits = np.bincount(places.ravel(), weights.ravel(), minlength=words * letters).astype(np.uint32)
        bits[::letters] = 0
        return cls(bits, letters)


def unmatched(positions: Positions, query: IndexArray, others: Rows, lengths: IndexArray) -> Bits:
    """Return the letters of each word that a longest common subsequence with another word leaves out, as bits.

    The pair k is the word `query[k]` of `positions` and the row `others[k]` with `lengths[k]` letters. Bits beyond the
    length of a word are set.

    >>> rows = np.array([[1, 2, 3, 4]], dtype=np.uint8)
    >>> bin(unmatched(Positions.of(rows, 5), np.array([0]), np.array([[2, 4]], dtype=np.uint8), np.array([2]))[0])[-4:]
    '0101'
    """
    order = np.argsort(lengths.astype(np.uint8), kind="stable")[::-1]  # longest first: the shorter ones drop out
    width = int(lengths.max(initial=0))
    columns = np.ascontiguousarray(others[order, :width].T)
    going_on = len(order) - np.cumsum(np.bincount(lengths, minlength=width + 1))
    offset = query[order] * positions.letters
    left = np.full(len(order), _ALL)
    for column, count in zip(columns, going_on.tolist(), strict=False):
        matching = positions.bits.take(offset[:count] + column[:count])
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
    counts: NDArray[np.uint8] = _COUNTS[bits & 0xFFF] + _COUNTS[bits >> np.uint32(12) & 0xFFF]
    return counts
