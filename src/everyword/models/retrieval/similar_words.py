"""Known words that a word may be a misspelling or a relative of, found by the keys that they share.

The keys find some sixty words; what a longest common subsequence of letters and sounds leaves over of the two tells the
most promising of them. The gate then looks closer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np

from everyword.arrays import AnyArray, FloatArray, HashArray, IdArray, IndexArray
from everyword.models.retrieval.common_letters import Bits, Positions, bit_counts, first_bits, unmatched
from everyword.models.retrieval.key_table import KeyTable
from everyword.models.retrieval.keys import NO_KEY, SpeltWords, WordKeys
from everyword.models.retrieval.letter_rows import LETTERS, WIDTH, letter_of
from everyword.models.retrieval.runs import run_lengths, run_starts
from everyword.models.retrieval.sound_rows import CLASSES, LONGEST, SOUNDS, sound_table

MOST = 16
"""How many similar words a word has at most."""

COST_OF_LETTER, COST_OF_OTHER_LETTER = 18, 1
"""What a letter costs that the similar word lacks, and one that the word itself lacks,"""
COST_OF_SOUND, COST_OF_OTHER_SOUND = 10, 11
"""what sounds cost,"""
COST_OF_BEGINNING = 11
"""what another first letter costs,"""
COST_OF_RARITY = 4
"""and what a word costs that is half as frequent, when the best `MOST` are picked. Fitted to misspellings."""
FLAT_RANKS = 16
DEAREST = (1 << 12) - 1

PACKED = np.dtype(
    [
        ("letters", np.uint8, WIDTH),
        ("sounds", np.uint8, LONGEST),
        ("length", np.uint8),
        ("sound length", np.uint8),
        ("cost", np.uint16),
        ("rarity", np.float32),
    ]
)
"""A known word for the compiled kernel, which reads all of it at once."""

_BUILDING = Lock()
"""One for all, so that a model can still be copied and pickled."""


@dataclass(frozen=True)
class Pairs:
    """Words, by their index in the batch, with similar known words; all pairs of a word are adjacent, best first."""

    query: IndexArray
    row: IndexArray
    nth: IndexArray
    """Which of the word's pairs it is, from 0."""
    letters_left: Bits
    """The letters of the word that the known word lacks."""
    sounds_left: IdArray
    """How many sounds of the word the known word lacks."""

    def __len__(self) -> int:
        return len(self.query)


class SimilarWords:
    """Known words, most frequent first, found by the keys that a word shares with them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._built: tuple[SpeltWords, KeyTable] | None = None

    @property
    def _index(self) -> tuple[SpeltWords, KeyTable]:
        # A model that is never asked about an unknown word needs none, and threads that ask at once need it once.
        with _BUILDING:
            if self._built is None:
                spelt = SpeltWords.of(self.words)
                self._built = spelt, KeyTable(spelt)
            return self._built

    @property
    def spelt(self) -> SpeltWords:
        """Return the known words by letters and sounds."""
        return self._index[0]

    @cached_property
    def _cost_of_row(self) -> IdArray:
        cost = COST_OF_RARITY * np.log2(np.arange(len(self.words)) + FLAT_RANKS)
        rounded: IdArray = np.rint(cost).astype(np.int32)
        return rounded

    def for_kernel(self, rarity: FloatArray) -> tuple[AnyArray, ...]:
        """Return the arrays by which the compiled kernel finds the same words; it also wants to know their rarity."""
        spelt, table = self._index
        known = np.zeros(len(self.words), dtype=PACKED)
        known["letters"], known["sounds"] = spelt.letters.forwards, spelt.sounds
        known["length"], known["sound length"] = spelt.letters.lengths, spelt.sound_lengths
        known["cost"], known["rarity"] = self._cost_of_row, rarity
        return letter_of(), *sound_table(), CLASSES, known, *table.arrays

    @cached_property
    def kernel_settings(self) -> tuple[int, int, int, int, int, int, int, int]:
        """Return the numbers that it needs beside them."""
        costs = COST_OF_LETTER, COST_OF_OTHER_LETTER, COST_OF_SOUND, COST_OF_OTHER_SOUND, COST_OF_BEGINNING
        return *self._index[1].bits, MOST, *costs

    def find(self, words: SpeltWords) -> Pairs:
        """Return the similar words of words, at most `MOST` each; a word that shares no key with any has none."""
        spelt, table = self._index
        query, row = _each_once(*_looked_up(words, table), len(spelt))
        letters = unmatched(
            Positions.of(words.letters.forwards, LETTERS),
            query,
            spelt.letters.forwards[row],
            spelt.letters.lengths[row],
        )
        sounds = unmatched(
            Positions.of(words.sounds, len(SOUNDS) + 1), query, spelt.sounds[row], spelt.sound_lengths[row]
        )
        letters &= first_bits(words.letters.lengths)[query]
        sounds &= first_bits(words.sound_lengths)[query]
        letters_left, sounds_left = bit_counts(letters).astype(np.int32), bit_counts(sounds).astype(np.int32)
        other_letters = (spelt.letters.lengths[row] - words.letters.lengths[query]) + letters_left
        other_sounds = (spelt.sound_lengths[row] - words.sound_lengths[query]) + sounds_left
        cost = self._cost_of_row[row] + COST_OF_LETTER * letters_left + COST_OF_OTHER_LETTER * other_letters
        cost += COST_OF_SOUND * sounds_left + COST_OF_OTHER_SOUND * other_sounds
        cost += COST_OF_BEGINNING * (words.letters.forwards[query, 0] != spelt.letters.forwards[row, 0])
        kept, nth = _cheapest(query, cost)
        return Pairs(query[kept], row[kept], nth, letters[kept], sounds_left[kept])


def _looked_up(words: SpeltWords, table: KeyTable) -> tuple[IndexArray, IndexArray]:
    """Return pairs of a word and a known word that share a key, some several times."""
    keys = WordKeys(words)
    columns = [keys.one_out(), keys.beginnings(), keys.ends(), keys.one_class_out(), keys.single_keys()]
    together: HashArray = np.concatenate(columns, axis=1)
    asked, at = (together != NO_KEY).nonzero()
    found, row = table.look_up(together[asked, at])
    return asked[found], row


def _each_once(query: IndexArray, row: IndexArray, words: int) -> tuple[IndexArray, IndexArray]:
    """Return pairs by word and row, each once."""
    bits = words.bit_length()
    pairs = query << bits | row
    # One number for both, so that one sort brings equal pairs together; small numbers are sorted twice as fast.
    pairs = np.sort(pairs.astype(np.uint32) if int(query.max(initial=0)).bit_length() + bits <= 32 else pairs)
    pairs = pairs[run_starts(pairs)].astype(np.int64)
    return pairs >> bits, pairs & (1 << bits) - 1


def _cheapest(query: IndexArray, cost: IdArray) -> tuple[IndexArray, IndexArray]:
    """Return the indices of the `MOST` cheapest pairs of each word in order, and which of them each is."""
    numbers = query << 44 | np.minimum(cost, DEAREST).astype(np.int64) << 32 | np.arange(len(query))
    numbers.sort()
    starts = run_starts(numbers >> 44)
    nth = np.arange(len(numbers)) - np.repeat(starts, run_lengths(starts, len(numbers)))
    best = (nth < MOST).nonzero()[0]
    return numbers[best] & 0xFFFFFFFF, nth[best]
