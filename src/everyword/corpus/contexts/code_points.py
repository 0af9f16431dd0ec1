"""What each character of Unicode is to a reader of words, in tables that NumPy looks up for many at once."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import BoolArray, HashArray
from everyword.text.word_pattern import MARKS

HOW_MANY = 0x110000
ASSIGNED = 0x40000
"""Above it lie no letters, and no characters that change."""
LETTER, MARK = 1, 2
"""Kinds: a run begins with a letter or digit and goes on with letters, digits and marks; all else is 0."""
CAPITAL_SIGMA = "Σ"
"""Has two small letters, one of them for the end of a word."""
JAMO = range(0x1160, 0x1200)
"""Parts of Korean syllables, which become one character with what stands before them."""


@cache
def kinds() -> NDArray[np.uint8]:
    """The kind of each character."""
    found = np.zeros(HOW_MANY, dtype=np.uint8)
    found[:ASSIGNED] = [chr(point).isalnum() for point in range(ASSIGNED)]
    found[[ord(mark) for mark in MARKS if not mark.isalnum()]] = MARK
    return found


@cache
def depends_on_neighbours() -> BoolArray:
    """Characters whose lower case or encoding is a matter of those beside them; most lines have none of them."""
    found = np.zeros(HOW_MANY, dtype=np.bool_)
    found[JAMO.start : JAMO.stop] = True
    found[ord(CAPITAL_SIGMA)] = True
    for point in range(0x80, ASSIGNED):
        character = chr(point)
        if (
            unicodedata.category(character)[0] == "M"
            or len(character.lower()) > 1
            or not unicodedata.is_normalized("NFC", character)
        ):
            found[point] = True
    return found


@cache
def values() -> HashArray:
    """A number for each character that says nothing of its neighbours' numbers; a capital has its small letter's."""
    found = scattered(np.arange(1, HOW_MANY + 1, dtype=np.uint64))
    found[[point for point in range(0x3001) if chr(point).isspace()]] = found[ord(" ")]
    capitals = [point for point in range(ASSIGNED) if len(lower := chr(point).lower()) == 1 and ord(lower) != point]
    found[capitals] = found[[ord(chr(point).lower()) for point in capitals]]
    return found


def scattered(numbers: HashArray) -> HashArray:
    """Each number turned into one whose bits look drawn at random (the last step of SplitMix64)."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
