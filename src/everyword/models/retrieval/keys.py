"""Keys of words: numbers that a word shares with others that it may be a misspelling or a relative of.

Each kind of key forgives other errors. A word with one letter left out meets what is one edit away; the same sounds in
the same order meet what is spelt by ear; a beginning and an end meet what went wrong between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np

from everyword.arrays import AnyArray, HashArray, IndexArray
from everyword.models.retrieval.letter_rows import LETTERS, WIDTH, LetterRows, Rows
from everyword.models.retrieval.sound_rows import CLASSES, LONGEST, sound_rows
from everyword.models.retrieval.spellings import WORDS_AT_ONCE

BASE = 0x9E3779B97F4A7C15
"""Odd, so that it has an inverse modulo 2^64."""
_POWERS = np.cumprod(np.full(WIDTH, BASE, dtype=np.uint64), dtype=np.uint64)
_SHIFTS = np.array([pow(BASE, -count, 1 << 64) for count in range(WIDTH + 1)], dtype=np.uint64)
"""Factors that move what follows left-out letters to its new position."""
NO_KEY = np.uint64(0)

STEM = 3
"""Letters of a word that begins or ends another one, at least."""
AFFIXES = np.arange(2, 6)
"""How many letters are cut off to find such a word; one is left out anyway."""
_SOUND_BITS = 4
_BELOW = (np.uint64(1) << np.arange(0, _SOUND_BITS * LONGEST, _SOUND_BITS, dtype=np.uint64)) - np.uint64(1)
"""The sounds before each."""
_IN_SET = (np.uint32(1) << np.arange(LONGEST, dtype=np.uint32)) & ~np.uint32(1)


class Kind(IntEnum):
    """Kinds of keys."""

    ONE_OUT = 0
    """The letters, all or all but one."""
    WHOLE = 1
    """All letters; those that begin or end a word are looked for."""
    TWO_TWO = 2
    """The first two letters and the last two."""
    THREE_ONE = 3
    """The first three letters and the last."""
    FIRST_FOUR = 4
    """The first four letters."""
    SOUNDS = 5
    """All sounds in order."""
    FIRST_SOUNDS = 6
    """The first four sounds."""
    SOUND_SET = 7
    """The first sound and all others in any order."""
    CLASSES = 8
    """The classes of all sounds in order."""
    ONE_CLASS_OUT = 9
    """The classes of all sounds, or of all but one."""


_SALTS = np.arange(1, len(Kind) + 1, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03)


@dataclass(frozen=True)
class SpeltWords:
    """Words by their letters and sounds."""

    letters: LetterRows
    sounds: Rows
    sound_lengths: IndexArray

    @classmethod
    def of(cls, words: Sequence[str]) -> SpeltWords:
        """Return the letters and sounds of words."""
        letters = LetterRows.of(words)
        if len(words) <= WORDS_AT_ONCE:
            return cls(letters, *sound_rows(letters))
        sounds = np.empty((len(words), LONGEST), dtype=np.uint8)
        lengths = np.empty(len(words), dtype=np.int64)
        for first in range(0, len(words), WORDS_AT_ONCE):
            part = slice(first, first + WORDS_AT_ONCE)
            sounds[part], lengths[part] = sound_rows(letters.take(part))
        return cls(letters, sounds, lengths)

    def __len__(self) -> int:
        return len(self.sound_lengths)

    def take(self, rows: slice | IndexArray) -> SpeltWords:
        """Return some of the words."""
        return SpeltWords(self.letters.take(rows), self.sounds[rows], self.sound_lengths[rows])


class WordKeys:
    """The keys of words, each kind (words, keys); `NO_KEY` where a word has fewer."""

    def __init__(self, words: SpeltWords) -> None:
        self._words = words
        self.width = max(1, int(words.letters.lengths.max(initial=1)))
        letters = words.letters.forwards[:, : self.width]
        self._prefix = np.zeros((len(words), self.width + 1), dtype=np.uint64)
        np.cumsum(letters * _POWERS[: self.width], axis=1, out=self._prefix[:, 1:])

    @property
    def whole(self) -> HashArray:
        """Return a key for each word as a whole, which `beginnings` and `ends` of other words may equal."""
        keys: HashArray = self._prefix[:, -1:] + _SALTS[Kind.WHOLE]
        return keys

    def one_out(self) -> HashArray:
        """Return the keys of words as they are and with one letter left out; of equal letters the first."""
        words, prefix = self._words.letters, self._prefix
        keys = np.empty_like(prefix)
        np.subtract(prefix[:, -1:], prefix[:, 1:], out=keys[:, :-1])
        keys[:, :-1] *= _SHIFTS[1]
        keys[:, :-1] += prefix[:, :-1]
        keys[:, -1] = prefix[:, -1]
        keys += _SALTS[Kind.ONE_OUT]
        letters = words.forwards[:, : self.width]
        absent = letters == 0
        absent[:, 1:] |= letters[:, 1:] == letters[:, :-1]
        keys[:, :-1][absent] = NO_KEY
        return keys

    def beginnings(self) -> HashArray:
        """Return the keys of words without their last letters, as keys of whole words."""
        left = self._words.letters.lengths[:, None] - AFFIXES
        keys: HashArray = np.take_along_axis(self._prefix, np.maximum(left, 0), axis=1) + _SALTS[Kind.WHOLE]
        keys[left < STEM] = NO_KEY
        return keys

    def ends(self) -> HashArray:
        """Return the keys of words without their first letters, as keys of whole words."""
        left = self._words.letters.lengths[:, None] - AFFIXES
        cut = np.minimum(AFFIXES, self.width)
        keys: HashArray = (self._prefix[:, -1:] - self._prefix[:, cut]) * _SHIFTS[AFFIXES] + _SALTS[Kind.WHOLE]
        keys[left < STEM] = NO_KEY
        return keys

    @cached_property
    def _classes(self) -> HashArray:
        return packed(CLASSES[self._words.sounds])

    def one_class_out(self) -> HashArray:
        """Return the keys of the classes of sounds as they are and with one left out."""
        classes, lengths = self._classes[:, None], self._words.sound_lengths
        below = _BELOW[: max(1, int(lengths.max(initial=1)))]
        keys = np.empty((len(classes), len(below) + 1), dtype=np.uint64)
        keys[:, :-1] = (classes & below) | ((classes >> np.uint64(_SOUND_BITS)) & ~below)
        keys[:, -1:] = classes
        mixed = _mixed(keys, Kind.ONE_CLASS_OUT)
        mixed[:, :-1][np.arange(len(below)) >= lengths[:, None]] = NO_KEY
        return mixed

    def single(self) -> dict[Kind, HashArray]:
        """Return the kinds of which every word has one key."""
        words = self._words
        first, second, third = words.letters.forwards[:, :3].T.astype(np.uint64)
        last, last_but_one = words.letters.backwards[:, :2].T.astype(np.uint64)
        two = first * LETTERS + second
        sounds = packed(words.sounds)
        sound_set = np.bitwise_or.reduce(_IN_SET[words.sounds], axis=1)
        numbers = {
            Kind.TWO_TWO: (two * LETTERS + last) * LETTERS + last_but_one,
            Kind.THREE_ONE: (two * LETTERS + third) * LETTERS + last,
            Kind.FIRST_FOUR: self._prefix[:, min(4, self.width)],
            Kind.SOUNDS: sounds,
            Kind.FIRST_SOUNDS: sounds & np.uint64(0xFFFF),
            Kind.SOUND_SET: sound_set.astype(np.uint64) << np.uint64(_SOUND_BITS) | sounds & np.uint64(15),
            Kind.CLASSES: self._classes,
        }
        return {kind: _mixed(number, kind) for kind, number in numbers.items()}

    def single_keys(self) -> HashArray:
        """Return the same keys as columns."""
        return np.stack(list(self.single().values()), axis=1)


def packed(sounds: Rows) -> HashArray:
    """Return rows of sounds as one number each, the first in its lowest four bits."""
    pairs = sounds[:, 0::2] | sounds[:, 1::2] << 4
    return pairs.view("<u8")[:, 0].astype(np.uint64, copy=False)


def _mixed(numbers: AnyArray, kind: Kind) -> HashArray:
    """Return numbers whose highest bits depend on all bits and on the kind."""
    mixed: HashArray = (numbers + _SALTS[kind]) * np.uint64(BASE)
    return mixed
