"""Keys of words: numbers that a word shares with others that it may be a misspelling or a relative of.

Each kind of key forgives other errors. A word with one letter left out meets what is one edit away; the same sounds in
the same order meet what is spelt by ear; a beginning and an end meet what went wrong between them. A key is a sum of
letters or sounds, each multiplied by a large number of its own, modulo 2^64, so that its highest bits depend on all.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from everyword.arrays import BoolArray, HashArray
from everyword.models.retrieval.letter_rows import WIDTH, Rows
from everyword.models.retrieval.sound_rows import CLASSES, LONGEST
from everyword.models.retrieval.spelt_words import SpeltWords

BASE = 0x9E3779B97F4A7C15
"""Odd, so that it has an inverse modulo 2^64."""


class Kind(IntEnum):
    """Kinds of keys."""

    ONE_OUT = 0
    """The letters, all or all but one."""
    WHOLE = 1
    """All letters; those that begin or end a word are looked for."""
    ONE_CLASS_OUT = 2
    """The classes of all sounds, or of all but one."""
    TWO_TWO = 3
    """The first two letters and the last two."""
    THREE_ONE = 4
    """The first three letters and the last."""
    FIRST_FOUR = 5
    """The first four letters."""
    FIRST_SIX = 6
    """The first six letters,"""
    FIRST_EIGHT = 7
    """and the first eight, which relatives share."""
    SOUNDS = 8
    """All sounds in order."""
    FIRST_SOUNDS = 9
    """The first four sounds."""
    SOUND_SET = 10
    """The first sound and all others in any order."""
    CLASSES = 11
    """The classes of all sounds in order."""


SINGLE = tuple(kind for kind in Kind if kind >= Kind.TWO_TWO)
"""Kinds of which every word has one key."""
SALTS = np.arange(1, len(Kind) + 1, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03)
"""Added to keys, so that those of different kinds differ."""
POWERS: HashArray = np.cumprod(np.full(WIDTH, BASE, dtype=np.uint64), dtype=np.uint64)
"""The multiplier of the letter at each position."""
SHIFTS: HashArray = np.array([pow(BASE, -count, 1 << 64) for count in range(WIDTH + 1)], dtype=np.uint64)
"""Factors that move what follows left-out letters to its new position."""

STEM = 3
"""Letters of a word that begins or ends another one, at least."""
AFFIXES = np.arange(2, 6)
"""How many letters are cut off to find such a word; one is left out anyway."""
SOUND_BITS = 4
BELOW = (np.uint64(1) << np.arange(0, SOUND_BITS * LONGEST, SOUND_BITS, dtype=np.uint64)) - np.uint64(1)
"""The bits of the sounds before each, all sounds of a word being one number."""
IN_SET = (np.uint64(1) << np.arange(LONGEST, dtype=np.uint64)) & ~np.uint64(1)

_FRONT, _BACK = 8, 2
_PACKED, _PACKED_FRONT, _SET, _PACKED_CLASSES = range(_FRONT + _BACK, _FRONT + _BACK + 4)
_PARTS = {
    Kind.TWO_TWO: (0, 1, _FRONT, _FRONT + 1),
    Kind.THREE_ONE: (0, 1, 2, _FRONT),
    Kind.FIRST_FOUR: range(4),
    Kind.FIRST_SIX: range(6),
    Kind.FIRST_EIGHT: range(8),
    Kind.SOUNDS: (_PACKED,),
    Kind.FIRST_SOUNDS: (_PACKED_FRONT,),
    Kind.SOUND_SET: (_SET,),
    Kind.CLASSES: (_PACKED_CLASSES,),
}
"""What the keys of a kind are made of: some of the first letters, of the last ones, or a number for all sounds."""


def _multipliers() -> HashArray:
    factors = np.zeros((_PACKED_CLASSES + 1, len(SINGLE)), dtype=np.uint64)
    for column, kind in enumerate(SINGLE):
        factors[list(_PARTS[kind]), column] = POWERS[: len(_PARTS[kind])]
    return factors


MULTIPLIERS = _multipliers()


def keys_of(words: SpeltWords, *, asked: bool) -> tuple[HashArray, BoolArray, list[tuple[Kind, int]]]:
    """Return the keys of words, (words, keys), which of them each word has, and how many columns each kind fills.

    Known words have one key of the kind `WHOLE`; words that are asked about have eight, of what may begin or end them.
    """
    width, heard = max(1, int(words.lengths.max(initial=1))), max(1, int(words.sound_lengths.max(initial=1)))
    letters = words.letters[:, :width]
    prefix = np.zeros((len(words), width + 1), dtype=np.uint64)
    np.cumsum(letters * POWERS[:width], axis=1, out=prefix[:, 1:])
    wholes = 2 * len(AFFIXES) if asked else 1
    columns = [(Kind.ONE_OUT, width + 1), (Kind.WHOLE, wholes), (Kind.ONE_CLASS_OUT, heard + 1)]
    columns += [(kind, 1) for kind in SINGLE]
    first, second, third = width + 1, width + 1 + wholes, width + wholes + heard + 2
    keys = np.empty((len(words), third + len(SINGLE)), dtype=np.uint64)
    present = np.ones(keys.shape, dtype=np.bool_)
    _one_out(prefix, keys[:, :first])
    np.not_equal(letters, 0, out=present[:, :width])
    if asked:
        _beginnings_and_ends(prefix, words, keys[:, first:second], present[:, first:second])
    else:
        keys[:, first] = prefix[:, -1]
    keys[:, first:second] += SALTS[Kind.WHOLE]
    sounds, classes = packed(words.sounds), packed(CLASSES.take(words.sounds))
    _one_class_out(classes, keys[:, second:third])
    # No sound at all is nothing that words have in common.
    present[:, second : third - 1] = (words.sounds[:, :heard] != 0) & (words.sound_lengths > 1)[:, None]
    present[:, third - 1] = words.sound_lengths > 0
    present[:, third + SINGLE.index(Kind.SOUNDS) :] = present[:, third - 1, None]
    keys[:, third:] = _inputs(words, sounds, classes) @ MULTIPLIERS + SALTS[Kind.TWO_TWO :]
    return keys, present, columns


def _one_out(prefix: HashArray, keys: HashArray) -> None:
    """Fill in the keys of the letters without each, and of all letters."""
    without = keys[:, :-1]
    np.subtract(prefix[:, -1:], prefix[:, 1:], out=without)
    without *= SHIFTS[1]
    without += prefix[:, :-1]
    keys[:, -1] = prefix[:, -1]
    keys += SALTS[Kind.ONE_OUT]


def _beginnings_and_ends(prefix: HashArray, words: SpeltWords, keys: HashArray, present: BoolArray) -> None:
    """Fill in the keys of words without their last letters and without their first ones, as keys of whole words."""
    left, half = words.lengths[:, None] - AFFIXES, len(AFFIXES)
    begin = np.arange(0, prefix.size, prefix.shape[1])[:, None]
    keys[:, :half] = prefix.take(begin + np.maximum(left, 0))
    keys[:, half:] = (prefix[:, -1:] - prefix[:, np.minimum(AFFIXES, prefix.shape[1] - 1)]) * SHIFTS[AFFIXES]
    present[:, :half] = present[:, half:] = left >= STEM


def _one_class_out(classes: HashArray, keys: HashArray) -> None:
    """Fill in the keys of the classes of sounds without each, and of all."""
    below = BELOW[: keys.shape[1] - 1]
    keys[:, :-1] = (classes[:, None] & below) | ((classes[:, None] >> np.uint64(SOUND_BITS)) & ~below)
    keys[:, -1] = classes
    keys *= np.uint64(BASE)
    keys += SALTS[Kind.ONE_CLASS_OUT]


def _inputs(words: SpeltWords, sounds: HashArray, classes: HashArray) -> HashArray:
    """Return what `MULTIPLIERS` multiply."""
    inputs = np.empty((len(words), _PACKED_CLASSES + 1), dtype=np.uint64)
    inputs[:, :_FRONT] = words.letters[:, :_FRONT]
    inputs[:, _FRONT:_PACKED] = words.backwards[:, :_BACK]
    inputs[:, _PACKED] = sounds
    inputs[:, _PACKED_FRONT] = sounds & np.uint64(0xFFFF)
    inputs[:, _SET] = np.bitwise_or.reduce(IN_SET.take(words.sounds[:, :LONGEST]), axis=1)
    inputs[:, _SET] <<= np.uint64(SOUND_BITS)
    inputs[:, _SET] |= sounds & np.uint64(15)
    inputs[:, _PACKED_CLASSES] = classes
    return inputs


def packed(sounds: Rows) -> HashArray:
    """Return rows of sounds as one number each, the first in its lowest four bits."""
    pairs: Rows = sounds[:, 1:LONGEST:2] * np.uint8(1 << SOUND_BITS)
    pairs |= sounds[:, 0:LONGEST:2]
    return pairs.view("<u8")[:, 0].astype(np.uint64, copy=False)
