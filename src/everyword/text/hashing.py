"""FNV-1a hashes of units, as fastText uses them."""

from __future__ import annotations

import numpy as np

from everyword.arrays import IndexArray

OFFSET, PRIME, MASK = 0x811C9DC5, 0x01000193, 0xFFFFFFFF


def fnv1a(data: bytes) -> int:
    """Return the 32-bit FNV-1a hash, the same on every machine and in every run.

    >>> hex(fnv1a(b"foobar"))
    '0xbf9cf968'
    """
    value = OFFSET
    for byte in data:
        value = ((value ^ byte) * PRIME) & MASK
    return value


def fnv1a_of_numbers(numbers: IndexArray, multiplier: int = PRIME) -> IndexArray:
    """Return the hashes of integers, each as four little-endian bytes; another multiplier is another hash.

    >>> fnv1a_of_numbers(np.array([0x6F6F6666])).tolist() == [fnv1a(b"ffoo")]
    True
    """
    values = np.full(numbers.shape, OFFSET, dtype=np.uint64)
    for shift in (0, 8, 16, 24):
        byte = (numbers.astype(np.uint64) >> np.uint64(shift)) & np.uint64(0xFF)
        values = ((values ^ byte) * np.uint64(multiplier)) & np.uint64(MASK)
    return values.astype(np.int64)
