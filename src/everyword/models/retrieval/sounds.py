"""Known words that sound like a word: the same consonants in the same order, by the classes of Soundex.

It finds what is spelt by ear and too far away for edits: "suvenear" and "souvenir" are both s-v-n-r.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.models.retrieval.spellings import code_points, in_parts, sums_before, sums_of_words

CLASSES = ("bfpv", "cgjkqsxz", "dt", "l", "mn", "r")
SILENT = 0
"""Vowels, h, w and everything else that is not a consonant of the English alphabet."""
BASE = len(CLASSES) + 1
LONGEST = 20
"""How many consonants count: this many digits of base seven fit into 64 bits."""
NOT_FOUND = -1

SoundCodes = NDArray[np.uint64]
_POWERS = np.array([BASE**position for position in range(LONGEST)], dtype=np.uint64)
_CLASS_OF = np.zeros(128, dtype=np.uint8)
for _number, _letters in enumerate(CLASSES, start=1):
    _CLASS_OF[[ord(letter) for letter in _letters]] = _number


def sound_codes(words: Sequence[str]) -> SoundCodes:
    """Return a number for the sequence of consonant classes of each word; 0 for a word without a consonant.

    >>> sound_codes(["suvenear", "souvenir", "sir"]).tolist()
    [2312, 2312, 44]
    """
    codes = np.empty(len(words), dtype=np.uint64)
    for part, some in in_parts(words):
        codes[part] = _codes(some)
    return codes


def _codes(words: Sequence[str]) -> SoundCodes:
    joined, lengths = code_points(words)
    classes = _CLASS_OF[np.minimum(joined, len(_CLASS_OF) - 1)]
    begins = np.cumsum(lengths) - lengths
    before = np.empty_like(classes)
    before[1:] = classes[:-1]
    before[begins[lengths > 0]] = SILENT
    counts = (classes != SILENT) & (classes != before)  # "ck" and "ss" are one sound
    sounds_before = sums_before(counts.astype(np.int32))
    position = sounds_before[:-1] - np.repeat(sounds_before[begins], lengths)
    digits = np.where(counts & (position < LONGEST), classes, SILENT)
    codes: SoundCodes = sums_of_words(digits * _POWERS[np.minimum(position, LONGEST - 1)], lengths)
    return codes


class SoundIndex:
    """Known words by the code of their sound; of those with one code the most frequent are found."""

    def __init__(self, words: Sequence[str]) -> None:
        codes = sound_codes(words)
        self._rows = np.argsort(codes, kind="stable").astype(np.int32)  # rows of one code stay in order of frequency
        self._sorted_codes = codes[self._rows]

    def like(self, codes: SoundCodes, most: int) -> IndexArray:
        """Return the rows of up to `most` known words that have each code, (codes, most), filled with `NOT_FOUND`."""
        positions = np.searchsorted(self._sorted_codes, codes)[:, None] + np.arange(most)
        inside = np.minimum(positions, len(self._rows) - 1)
        same = (positions < len(self._rows)) & (self._sorted_codes[inside] == codes[:, None]) & (codes != 0)[:, None]
        return np.where(same, self._rows[inside], NOT_FOUND)
