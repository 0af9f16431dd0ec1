"""FNV-1a: the small, stable hash that fastText made the custom for units of words."""

from __future__ import annotations

OFFSET, PRIME, MASK = 0x811C9DC5, 0x01000193, 0xFFFFFFFF


def fnv1a(data: bytes) -> int:
    """The 32-bit FNV-1a hash, the same on every machine and in every run.

    >>> hex(fnv1a(b"foobar"))
    '0xbf9cf968'
    """
    value = OFFSET
    for byte in data:
        value = ((value ^ byte) * PRIME) & MASK
    return value
