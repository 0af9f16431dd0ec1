"""Neighbours of one stem as one: "doctors" and "doctor's" take the place of a single neighbour."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 4
"""Letters that words must begin with alike to be of one stem."""
ALIKE = 0.6
"""The share of the longer word that they must begin with alike."""
ENDINGS = ("s", "es", "'s", "’s")
"""What may follow a word that is shorter than that."""


def same_stem(first: str, second: str) -> bool:
    """Return whether two words look like forms of one word, in any language; spelling is all it knows.

    >>> [same_stem("misspelling", word) for word in ("misspelt", "mis-spelled", "spelling", "typo")]
    [True, True, False, False]
    >>> same_stem("cat", "cats"), same_stem("car", "card"), same_stem("heart", "heart attack")
    (True, False, False)
    """
    short, long = sorted((_joined(first), _joined(second)), key=len)
    alike = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    if alike == len(short) and long[alike:] in ENDINGS:
        return True
    return short.count(" ") == long.count(" ") and alike >= max(SHORTEST, ALIKE * len(long))


def _joined(word: str) -> str:
    return word.lower().replace("-", "")


Pair = tuple[str, float]


def fold(neighbours: Iterable[Pair], k: int) -> list[tuple[Pair, list[Pair]]]:
    """Return the first `k` stems among neighbours: the nearest word of each, and its other forms.

    >>> fold([("cats", 0.9), ("dog", 0.8), ("cat", 0.7), ("cow", 0.6)], 2)
    [(('cats', 0.9), [('cat', 0.7)]), (('dog', 0.8), [])]
    """
    groups: list[tuple[Pair, list[Pair]]] = []
    for pair in neighbours:
        for head, others in groups:
            if same_stem(head[0], pair[0]):
                others.append(pair)
                break
        else:
            groups.append((pair, []))
    return groups[:k]
