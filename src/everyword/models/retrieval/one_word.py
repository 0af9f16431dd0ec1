"""Letters, sounds and keys of one word in plain Python, which takes less time than arrays of one.

What they are is said by `letter_rows`, `sound_rows` and `keys`; tests compare.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from everyword.arrays import HashArray
from everyword.models.retrieval.common_letters import Bits, bit_counts
from everyword.models.retrieval.keys import AFFIXES, BASE, POWERS, SALTS, SHIFTS, SOUND_BITS, STEM, Kind
from everyword.models.retrieval.letter_rows import LAST, LETTERS, WIDTH, Rows, letter_of
from everyword.models.retrieval.sound_rows import ALWAYS, CLASSES, LONGEST, sound_table
from everyword.models.retrieval.spelt_words import BACKWARDS_OF, LETTERS_OF, SIDES, SOUNDS_OF, SpeltWords

_ALL_BITS = (1 << 64) - 1
_POWERS, _SHIFTS, _SALTS, _CLASSES = POWERS.tolist(), SHIFTS.tolist(), SALTS.tolist(), CLASSES.tolist()
_CUTS = AFFIXES.tolist()
_ALL_LEFT = np.uint32(0xFFFFFFFF)
_SECOND = np.array([[0], [LETTERS]], dtype=np.uint8)
_BITS = np.exp2(np.arange(WIDTH))
_FRONT_SOUNDS, _FIRST_SOUND = (1 << 4 * SOUND_BITS) - 1, (1 << SOUND_BITS) - 1


class SpeltWord(NamedTuple):
    """The numbers of a word's letters and sounds."""

    letters: list[int]
    sounds: list[int]

    def as_words(self) -> SpeltWords:
        """Return the same as arrays of one word."""
        rows = np.zeros((1, SIDES, WIDTH), dtype=np.uint8)
        rows[0, LETTERS_OF, : len(self.letters)] = self.letters
        rows[0, BACKWARDS_OF, : len(self.letters)] = self.letters[::-1]
        rows[0, SOUNDS_OF, : len(self.sounds)] = self.sounds
        return SpeltWords(rows, np.array([len(self.letters)]), np.array([len(self.sounds)]))


@lru_cache(maxsize=1)
def _tables() -> tuple[bytes, bytes, bytes]:
    sounds, vowels = sound_table()
    return letter_of().tobytes(), sounds.tobytes(), vowels.tobytes()


def spell(word: str) -> SpeltWord:
    """Return the letters and sounds of a word, as `SpeltWords.of` does.

    >>> spell("ache")
    SpeltWord(letters=[1, 3, 8, 5], sounds=[1, 11])
    """
    letter, sound, vowel = _tables()
    letters = [letter[min(ord(character), LAST)] for character in word[:WIDTH]]
    sounds: list[int] = []
    before = last = 0
    for here, after, later in zip(letters, [*letters[1:], 0], [*letters[2:], 0, 0], strict=False):
        code = sound[((before * LETTERS + here) * LETTERS + after) * len(ALWAYS) + vowel[later]]
        first, second = code & _FIRST_SOUND, code >> SOUND_BITS
        if first and first != last:
            sounds.append(first)
        if second:
            sounds.append(second)
        last, before = second or first, here
    return SpeltWord(letters, sounds[:LONGEST])


def keys_of_one(word: SpeltWord) -> HashArray:
    """Return the keys by which a word is looked up, as `keys_of` does."""
    letters, length, total, prefix = word.letters, len(word.letters), 0, [0]
    for letter, power in zip(letters, _POWERS, strict=False):
        total += letter * power
        prefix.append(total)
    salt, shift = _SALTS[Kind.ONE_OUT], _SHIFTS[1]
    keys = [prefix[at] + (total - prefix[at + 1]) * shift + salt for at in range(length) if letters[at]]
    keys.append(total + salt)
    salt = _SALTS[Kind.WHOLE]
    for cut in _CUTS:
        if length - cut >= STEM:
            keys += prefix[length - cut] + salt, (total - prefix[cut]) * _SHIFTS[cut] + salt
    prefix += [total] * (WIDTH - length)
    last, last_but_one = [*letters[:-3:-1], 0, 0][:2]
    keys += (
        prefix[2] + last * _POWERS[2] + last_but_one * _POWERS[3] + _SALTS[Kind.TWO_TWO],
        prefix[3] + last * _POWERS[3] + _SALTS[Kind.THREE_ONE],
        prefix[4] + _SALTS[Kind.FIRST_FOUR],
        prefix[6] + _SALTS[Kind.FIRST_SIX],
        prefix[8] + _SALTS[Kind.FIRST_EIGHT],
    )
    if word.sounds:
        keys += _keys_of_sounds(word.sounds)
    return np.array([key & _ALL_BITS for key in keys], dtype=np.uint64)


def _keys_of_sounds(sounds: list[int]) -> list[int]:
    packed = classes = present = 0
    for nth, sound in enumerate(sounds):
        packed |= sound << SOUND_BITS * nth
        classes |= _CLASSES[sound] << SOUND_BITS * nth
        present |= 1 << sound
    salt, shifted, keys = _SALTS[Kind.ONE_CLASS_OUT], classes >> SOUND_BITS, [classes * BASE + _SALTS[Kind.CLASSES]]
    if len(sounds) > 1:
        for nth in range(len(sounds)):
            below = (1 << SOUND_BITS * nth) - 1
            keys.append((classes & below | shifted & ~below) * BASE + salt)
    keys += (
        classes * BASE + salt,
        packed * BASE + _SALTS[Kind.SOUNDS],
        (packed & _FRONT_SOUNDS) * BASE + _SALTS[Kind.FIRST_SOUNDS],
        (present << SOUND_BITS | packed & _FIRST_SOUND) * BASE + _SALTS[Kind.SOUND_SET],
    )
    return keys


def left_after_each(word: SpeltWord, others: Rows) -> Bits:
    """Return the letters and the sounds of a word that are not in common with those of others, read so far.

    Args:
        word: The word.
        others: Letters and sounds of other words, (words, 2, letters).

    Returns:
        Bits as `unmatched` returns them, less those beyond the end, (letters read, 2, words), the first ones before any
        is read.
    """
    bits = [0] * (2 * LETTERS)
    for offset, numbers in enumerate(word):
        for place, number in enumerate(numbers):
            bits[offset * LETTERS + number] |= 1 << place
    bits[0] = 0
    columns = others.transpose(2, 1, 0) + _SECOND
    matching = np.array(bits, dtype=np.uint32).take(columns)
    history = np.empty((len(columns) + 1, *columns.shape[1:]), dtype=np.uint32)
    history[0] = _ALL_LEFT
    for before, after, some in zip(history, history[1:], matching, strict=False):
        np.bitwise_and(some, before, out=some)
        np.add(before, some, out=after)
        np.subtract(before, some, out=some)
        np.bitwise_or(after, some, out=after)
    history &= np.array([[(1 << len(numbers)) - 1] for numbers in word], dtype=np.uint32)
    return history


def others_left(history: Bits) -> Bits:
    """Return the letters of others that are not in common with the word, from what is left of it after each."""
    counts = bit_counts(history)
    left: Bits = (_BITS[: len(counts) - 1] @ (counts[1:] == counts[:-1])).astype(np.uint32)
    return left
