"""The character n-grams of fastText and the buckets they hash to.

>>> subword_ngrams("né", 2, 3)
['<n', '<né', 'né', 'né>', 'é>']
"""

from __future__ import annotations

FNV_OFFSET = 2166136261
FNV_PRIME = 16777619
MASK = 0xFFFFFFFF

# fastText hashes signed bytes: a byte of 128 or more is extended with ones to 32 bits before the exclusive or.
SIGNED = [byte if byte < 128 else byte | 0xFFFFFF00 for byte in range(256)]


def fasttext_hash(data: bytes) -> int:
    """FNV-1a as fastText computes it."""
    value = FNV_OFFSET
    for byte in data:
        value = ((value ^ SIGNED[byte]) * FNV_PRIME) & MASK
    return value


def subword_ngrams(word: str, shortest: int, longest: int) -> list[str]:
    """The n-grams of `<word>` in fastText's order; a boundary mark alone is none."""
    marked = f"<{word}>"
    return [marked[start:end] for start, end in _spans(len(marked), shortest, longest)]


def subword_buckets(word: str, shortest: int, longest: int, buckets: int) -> list[int]:
    """The bucket of each n-gram, hashing every start only once and going on from there."""
    characters = [character.encode("utf-8", "surrogatepass") for character in f"<{word}>"]
    found = []
    for start in range(len(characters)):
        value = FNV_OFFSET
        for end in range(start + 1, min(start + longest, len(characters)) + 1):
            for byte in characters[end - 1]:
                value = ((value ^ SIGNED[byte]) * FNV_PRIME) & MASK
            if end - start >= shortest and not _boundary_alone(start, end, len(characters)):
                found.append(value % buckets)
    return found


def _spans(length: int, shortest: int, longest: int) -> list[tuple[int, int]]:
    return [
        (start, end)
        for start in range(length)
        for end in range(start + max(shortest, 1), min(start + longest, length) + 1)
        if not _boundary_alone(start, end, length)
    ]


def _boundary_alone(start: int, end: int, length: int) -> bool:
    return end - start == 1 and (start == 0 or end == length)
