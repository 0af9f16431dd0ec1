"""English letters as sounds: consonants as they are spoken, and a vowel only at the beginning of a word.

What a letter sounds like depends on the letters around it: the one before, the next, and whether a vowel follows that
one. So one table of all such neighbourhoods, made from the rules below when it is first needed, gives the sounds of
many words at once.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from everyword.arrays import IndexArray
from everyword.models.retrieval.letter_rows import LETTERS, Rows, letter_rows

SOUNDS = "APBFVTDKGSXLMNR"
"""A is any vowel at the beginning; X is sh, ch, j and their like. The first sound has number 1."""
CLASSES = np.array([0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9], dtype=np.uint8)
"""The class of each sound: those that are easily confused, such as p and b, have one."""
LONGEST = 16
"""Sounds of a word that count."""

START = END = "."
ANY = ".abcdefghijklmnopqrstuvwxyz'"
"""No letter, the letters, anything else."""
NO_VOWEL, E_FOLLOWS, VOWEL_FOLLOWS = range(3)
"""Whether the letter after the next is e, or one of a, o and u."""
ALWAYS = (NO_VOWEL, E_FOLLOWS, VOWEL_FOLLOWS)

RULES = (
    *(
        (ANY, letter, ANY, ALWAYS, sound)
        for letter, sound in zip("bcdfgjklmnpqrstvz", "BKDFGXKLMNPKRSTVS", strict=True)
    ),
    (ANY, "x", ANY, ALWAYS, "KS"),
    (START, "x", ANY, ALWAYS, "S"),
    *((START, letter, ANY, ALWAYS, "A") for letter in "aeiouywh"),
    (START, "w", "r", ALWAYS, ""),
    (ANY, "c", "eiy", ALWAYS, "S"),
    (ANY, "c", "i", (E_FOLLOWS, VOWEL_FOLLOWS), "X"),
    (ANY, "c", "h", ALWAYS, "X"),
    ("s", "c", "h", ALWAYS, "K"),
    ("s", "c", "eiy", ALWAYS, ""),
    (ANY, "g", "eiy", ALWAYS, "X"),
    (ANY, "p", "h", ALWAYS, "F"),
    (ANY, "s", "h", ALWAYS, "X"),
    (ANY, "s", "i", (E_FOLLOWS, VOWEL_FOLLOWS), "X"),
    (ANY, "t", "i", (VOWEL_FOLLOWS,), "X"),
    (ANY, "d", "j", ALWAYS, "X"),
    *((letter, letter, ANY, ALWAYS, "") for letter in "bdfgjklmnpqrstvxz"),
    ("c", "c", ANY.translate(str.maketrans("", "", "eiy")), ALWAYS, ""),
    (START, "k", "n", ALWAYS, ""),
    (START, "g", "n", ALWAYS, ""),
    (START, "p", "sn", ALWAYS, ""),
    ("m", "b", END, ALWAYS, ""),
    (ANY, "c", "k", ALWAYS, ""),
    (ANY, "d", "g", ALWAYS, ""),
    (ANY, "t", "c", ALWAYS, ""),
    (ANY[1:], "g", "h", ALWAYS, ""),
)
"""Letters before, the letter, letters after, what follows these, and the sounds, at most two; later rules go first."""


@lru_cache(maxsize=1)
def sound_table() -> tuple[Rows, Rows]:
    """Return the sounds of each neighbourhood, the first in the lower four bits, and what kind of vowel a letter is."""
    sounds = np.zeros((LETTERS, LETTERS, LETTERS, len(ALWAYS)), dtype=np.uint8)
    for before, letter, after, follows, spoken_as in RULES:
        code = sum((1 + SOUNDS.index(sound)) << 4 * nth for nth, sound in enumerate(spoken_as))
        sounds[np.ix_(_numbers(before), _numbers(letter), _numbers(after), follows)] = code
    vowels = np.zeros(LETTERS, dtype=np.uint8)
    vowels[_numbers("e")] = E_FOLLOWS
    vowels[_numbers("aou")] = VOWEL_FOLLOWS
    return sounds.ravel(), vowels


def _numbers(letters: str) -> list[int]:
    return [ANY.index(letter) for letter in letters]


def sound_rows(letters: Rows, lengths: IndexArray) -> tuple[Rows, IndexArray]:
    """Return the numbers of the sounds of each word, in as wide rows, and how many it has, at most `LONGEST`.

    The same sound of two adjacent letters is heard once.
    """
    table, vowels = sound_table()
    width = max(1, int(lengths.max(initial=1)))
    around = np.zeros((len(letters), width + 3), dtype=np.intp)
    around[:, 1 : width + 1] = letters[:, :width]
    place = around[:, :-3] * LETTERS
    place += around[:, 1:-2]
    place *= LETTERS
    place += around[:, 2:-1]
    place *= len(ALWAYS)
    place += vowels.take(around[:, 3:])
    codes = table.take(place)
    heard = np.empty((len(letters), width, 2), dtype=np.uint8)
    first, second = heard[:, :, 0], heard[:, :, 1]
    np.bitwise_and(codes, 15, out=first)
    np.right_shift(codes, 4, out=second)
    last = np.maximum(first[:, :-1] * (second[:, :-1] == 0), second[:, :-1])
    first[:, 1:] *= first[:, 1:] != last
    return _close_up(heard.reshape(len(letters), 2 * width), letters.shape[1])


def _close_up(sounds: Rows, width: int) -> tuple[Rows, IndexArray]:
    """Return rows without the zeros between sounds."""
    heard = sounds != 0
    lengths: IndexArray = heard.sum(axis=1)
    for row in (lengths > LONGEST).nonzero()[0].tolist():
        heard[row, heard[row].nonzero()[0][LONGEST:]] = False
        lengths[row] = LONGEST
    rows = np.zeros((len(sounds), width), dtype=np.uint8)
    rows[np.arange(width) < lengths[:, None]] = sounds[heard]
    return rows, lengths


def spoken(word: str) -> str:
    """Return the sounds of a word.

    >>> [spoken(word) for word in ("physician", "knight", "nashon", "nation")]
    ['FSXN', 'NT', 'NXN', 'NXN']
    """
    letters, _, lengths = letter_rows([word])
    rows, lengths = sound_rows(letters, lengths)
    return "".join(SOUNDS[number - 1] for number in rows[0, : lengths[0]])
