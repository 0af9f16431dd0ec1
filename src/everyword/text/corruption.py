"""Corruptions: ways to misspell a word, each a pure function of the word and a random generator.

The first four are LOVE's training corruptions (its Figure 4). `ocr` is kept out of training, so that robustness
can be measured on a kind of error the model never saw. A corruption makes one change; where it cannot change
anything (a word too short, no two different neighbours), it returns the word as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from everyword.errors import InputError

Corruption = Callable[[str, Random], str]

SHORTEST = 3
"""Words with fewer characters are left alone: one edit turns "is" into another word more often than into a typo."""

TYPOS = ("swap", "drop", "insert", "keyboard")
"""Registered names of the typing errors."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"

_KEYBOARD_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_ROW_OFFSETS = (0.0, 0.25, 0.75)
"""How far each row of a QWERTY keyboard is shifted to the right, in key widths."""

OCR_CONFUSIONS: dict[str, tuple[str, ...]] = {
    "B": ("8", "R"),
    "C": ("G",),
    "D": ("O",),
    "E": ("F",),
    "G": ("6", "C"),
    "H": ("N",),
    "I": ("l", "1"),
    "O": ("0", "Q"),
    "P": ("F",),
    "Q": ("O",),
    "S": ("5", "8"),
    "W": ("VV",),
    "Z": ("2",),
    "a": ("o", "e"),
    "b": ("h", "6"),
    "c": ("e", "o"),
    "cl": ("d",),
    "d": ("cl", "o"),
    "e": ("c", "o"),
    "f": ("t",),
    "g": ("q", "9"),
    "h": ("b", "n"),
    "i": ("l", "1", "j"),
    "j": ("i",),
    "k": ("lc",),
    "l": ("1", "i", "t"),
    "li": ("h",),
    "m": ("rn", "nn"),
    "n": ("ri", "h"),
    "nn": ("m",),
    "o": ("0", "c"),
    "q": ("g",),
    "ri": ("n",),
    "rn": ("m",),
    "s": ("5",),
    "t": ("f", "l"),
    "u": ("v", "ii"),
    "v": ("u", "y"),
    "vv": ("w",),
    "w": ("vv",),
    "y": ("v",),
    "z": ("2",),
}
"""What a scanner reads instead of one or two printed letters."""


def _keyboard_neighbours() -> dict[str, str]:
    positions = {
        key: (row, column + _ROW_OFFSETS[row])
        for row, keys in enumerate(_KEYBOARD_ROWS)
        for column, key in enumerate(keys)
    }
    return {
        key: "".join(
            other
            for other, (other_row, other_x) in positions.items()
            if other != key and abs(other_row - row) <= 1 and abs(other_x - x) <= 1
        )
        for key, (row, x) in positions.items()
    }


KEYBOARD_NEIGHBOURS = _keyboard_neighbours()
"""The keys that touch each key of a QWERTY keyboard, letters only."""


def swap(word: str, rng: Random) -> str:
    """Exchange two neighbouring, different characters: misspelling → misspleling."""
    positions = [position for position in range(len(word) - 1) if word[position] != word[position + 1]]
    if len(word) < SHORTEST or not positions:
        return word
    position = rng.choice(positions)
    return word[:position] + word[position + 1] + word[position] + word[position + 2 :]


def drop(word: str, rng: Random) -> str:
    """Leave one character out: misspelling → mispelling."""
    if len(word) < SHORTEST:
        return word
    position = rng.randrange(len(word))
    return word[:position] + word[position + 1 :]


def insert(word: str, rng: Random) -> str:
    """Put one letter in, anywhere from the start to the end: misspelling → misspellling.

    It is one of a to z or, for a word of another alphabet, one of the letters of the word.
    """
    if len(word) < SHORTEST:
        return word
    position = rng.randrange(len(word) + 1)
    letters = LETTERS
    if not word.isascii() and word.isalpha() and not any(letter in LETTERS for letter in word.lower()):
        letters = word.lower()
    return word[:position] + rng.choice(letters) + word[position:]


def keyboard(word: str, rng: Random) -> str:
    """Replace one letter by a neighbour on a QWERTY keyboard, keeping its case: misspelling → mosspelling."""
    positions = [position for position, character in enumerate(word) if character.lower() in KEYBOARD_NEIGHBOURS]
    if len(word) < SHORTEST or not positions:
        return word
    position = rng.choice(positions)
    typed = rng.choice(KEYBOARD_NEIGHBOURS[word[position].lower()])
    return word[:position] + (typed.upper() if word[position].isupper() else typed) + word[position + 1 :]


def ocr(word: str, rng: Random) -> str:
    """Misread one or two letters as a scanner does: modern → modem, small → sma1l."""
    readings = [
        (position, length)
        for position in range(len(word))
        for length in (1, 2)
        if word[position : position + length] in OCR_CONFUSIONS and position + length <= len(word)
    ]
    if len(word) < SHORTEST or not readings:
        return word
    position, length = rng.choice(readings)
    seen = rng.choice(OCR_CONFUSIONS[word[position : position + length]])
    return word[:position] + seen + word[position + length :]


def corrupt_text(text: str, share: float, kinds: Sequence[Corruption], rng: Random) -> str:
    """Misspell about `share` of the words of a text; white space is unchanged.

    Each word is drawn independently. Punctuation around a word is left alone: "(word)," keeps its brackets and comma.

    Args:
        text: The text to corrupt.
        share: Expected share of the words to misspell, from 0 to 1.
        kinds: Corruptions to draw from.
        rng: Random generator; the same state gives the same text.

    Returns:
        The corrupted text.

    Raises:
        InputError: If there is no corruption, or `share` is not between 0 and 1.
    """
    if not kinds:
        raise InputError("There must be at least one kind of corruption.")
    if not 0 <= share <= 1:
        raise InputError(f"The share of words to corrupt must be between 0 and 1. Got {share} instead.")
    return "".join(
        _corrupt_token(token, rng.choice(kinds), rng) if token.strip() and rng.random() < share else token
        for token in re.findall(r"\s+|\S+", text)
    )


def _corrupt_token(token: str, corruption: Corruption, rng: Random) -> str:
    letters = [position for position, character in enumerate(token) if character.isalnum()]
    if not letters:
        return token
    start, end = letters[0], letters[-1] + 1
    return token[:start] + corruption(token[start:end], rng) + token[end:]
