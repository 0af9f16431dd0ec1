"""Misspellings by ear: letters replaced by others that sound alike, doubled, left out or moved."""

from __future__ import annotations

from random import Random

SOUNDS_LIKE: dict[str, tuple[str, ...]] = {
    "a": ("e", "u", "o"),
    "able": ("ible", "abel"),
    "ai": ("ay", "a", "ei"),
    "ance": ("ence",),
    "ant": ("ent",),
    "ar": ("er", "or"),
    "ay": ("ai", "ey"),
    "c": ("k", "s"),
    "ch": ("tch", "sh"),
    "ck": ("k", "c"),
    "dge": ("ge", "j"),
    "e": ("i", "a", "u", ""),
    "ea": ("ee", "e"),
    "ee": ("ea", "e", "ie"),
    "ei": ("ie", "ee", "a"),
    "el": ("le", "al"),
    "ence": ("ance", "ense"),
    "ent": ("ant",),
    "er": ("or", "ar", "a", "ur"),
    "f": ("ph", "ff"),
    "g": ("j", "gh"),
    "gh": ("", "f"),
    "i": ("e", "y", "a", ""),
    "ible": ("able",),
    "ie": ("ei", "y", "ee"),
    "igh": ("i", "ie"),
    "j": ("g", "dg"),
    "k": ("c", "ck"),
    "kn": ("n",),
    "le": ("el", "al", "il"),
    "o": ("u", "a", "ou"),
    "or": ("er", "our"),
    "ou": ("ow", "u", "oo"),
    "ous": ("us", "ious"),
    "ow": ("ou", "o"),
    "ph": ("f",),
    "qu": ("kw",),
    "s": ("c", "z", "ss"),
    "sc": ("s",),
    "sh": ("ch", "ti"),
    "sion": ("tion", "shun"),
    "t": ("d", "tt"),
    "tion": ("shun", "sion", "tian"),
    "u": ("o", "a", "oo", ""),
    "wh": ("w",),
    "wr": ("r",),
    "x": ("cks", "ks"),
    "y": ("i", "ie", "ey"),
    "z": ("s",),
}
"""What may be written for some letters by someone who knows how a word sounds."""
LONGEST = max(map(len, SOUNDS_LIKE))
_CONSONANTS = frozenset("bcdfglmnprst")


def respell(word: str, rng: Random) -> str:
    """Write part of a word as it sounds, double a consonant or write a doubled one once: beautiful → beutiful.

    >>> [respell("phonetic", Random(seed)) for seed in range(3)]
    ['phonnetic', 'phonitic', 'fonetic']
    """
    ways = [
        (position, position + size, SOUNDS_LIKE[word[position : position + size]])
        for position in range(len(word))
        for size in range(1, 1 + min(LONGEST, len(word) - position))
        if word[position : position + size] in SOUNDS_LIKE
    ]
    ways += [
        (position, position + 1, (letter * 2,))
        for position, letter in enumerate(word)
        if 0 < position < len(word) - 1
        and letter in _CONSONANTS
        and letter not in (word[position - 1], word[position + 1])
    ]
    ways += [
        (position, position + 2, (letter,))
        for position, letter in enumerate(word[:-1])
        if letter == word[position + 1]
        for _ in range(3)  # the commonest error of all
    ]
    if not ways:
        return word
    start, end, others = rng.choice(ways)
    return word[:start] + rng.choice(others) + word[end:]
