"""Words as rows of small numbers for letters, whatever their accents, from the beginning and from the end.

Letters of other alphabets have the numbers of the Latin ones that they sound like.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.spellings import as_rows, as_rows_backwards, code_points
from everyword.text.scripts import LETTERS as OTHER_ALPHABETS

WIDTH = 24
"""Letters of a word that are looked at; the rest of a longer one is cut off."""
LETTERS = 28
"""No letter, a to z, anything else."""
OTHER = LETTERS - 1
LAST = 0x700
"""Characters below this one may be letters: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic."""
WITHOUT_PARTS = {"ß": "s", "æ": "a", "ø": "o", "ł": "l", "þ": "t", "ð": "d", "đ": "d", "œ": "o", "ı": "i"}
"""Letters that Unicode does not take apart into a letter and an accent."""

Rows = NDArray[np.uint8]


@lru_cache(maxsize=1)
def letter_of() -> Rows:
    """Return the number of each character; the last one stands for all others."""
    table = np.full(LAST + 1, OTHER, dtype=np.uint8)
    for number in range(1, LAST):
        plain = unicodedata.normalize("NFKD", chr(number))[0].lower()
        plain = OTHER_ALPHABETS.get(plain, WITHOUT_PARTS.get(plain, plain))[:1]
        if "a" <= plain <= "z":
            table[number] = ord(plain) - ord("a") + 1
    table[0] = 0
    return table


def letter_rows(words: Sequence[str]) -> tuple[Rows, Rows, IndexArray]:
    """Return the letters of words, from the beginning and from the end, and how many each has.

    >>> letter_rows(["café"])[0][0, :5].tolist()
    [3, 1, 6, 5, 0]
    >>> letter_rows(["собака"])[0][0, :6].tolist() == letter_rows(["sobaka"])[0][0, :6].tolist()
    True
    """
    joined, lengths = code_points([word[:WIDTH] for word in words])
    letters = letter_of().take(np.minimum(joined, LAST))
    return as_rows(letters, lengths, WIDTH), as_rows_backwards(letters, lengths, WIDTH), lengths
