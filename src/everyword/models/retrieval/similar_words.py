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

from everyword import kernel
from everyword.arrays import AnyArray, FloatArray, IdArray, IndexArray
from everyword.models.retrieval.common_letters import Bits, bit_counts, first_bits, positions_of, unmatched
from everyword.models.retrieval.key_table import KeyTable
from everyword.models.retrieval.keys import keys_of
from everyword.models.retrieval.letter_rows import LETTERS, WIDTH, letter_of
from everyword.models.retrieval.one_word import SpeltWord, keys_of_one, left_after_each, others_left
from everyword.models.retrieval.runs import run_lengths, run_starts
from everyword.models.retrieval.sound_rows import CLASSES, LONGEST, sound_table
from everyword.models.retrieval.spelt_words import LETTERS_OF, SIDES, SOUNDS_OF, SpeltWords

MOST = 20
"""How many similar words a word has at most."""
COSTLIER = 40
"""How much more than its best one any other costs at most."""

COST_OF_LETTER, COST_OF_OTHER_LETTER = 16, 4
"""What a letter costs that the similar word lacks, and one that the word itself lacks,"""
COST_OF_SOUND, COST_OF_OTHER_SOUND = 7, 7
"""what sounds cost,"""
COST_OF_BEGINNING = 8
"""what another first letter costs,"""
COST_OF_RARITY = 3
"""and what a word costs that is half as frequent, when the best are picked. Fitted to misspellings and relatives."""
FLAT_RANKS = 16

PACKED = np.dtype(
    [
        ("letters", np.uint8, WIDTH),
        ("sounds", np.uint8, LONGEST),
        ("length", np.uint8),
        ("sound length", np.uint8),
        ("cost", np.uint16),
        ("rarity", np.float32),
        ("marks", np.uint32, 4),
    ]
)
"""A known word for the compiled kernel, which reads all of it at once: 64 bytes."""

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
    sounds_left: IndexArray
    """How many sounds of the word the known word lacks."""
    others_left: Bits | None = None
    """The letters of the known word that the word lacks, if they are known already."""

    def __len__(self) -> int:
        return len(self.query)


class SimilarIndex:
    """Known words by letters and sounds and by keys, and what each costs whatever it is compared with."""

    def __init__(self, words: Sequence[str]) -> None:
        self.spelt = SpeltWords.of(words)
        self.table = KeyTable(self.spelt)
        lengths, sounds = self.spelt.lengths, self.spelt.sound_lengths
        cost = cost_of_rarity(len(words)) + COST_OF_OTHER_LETTER * lengths + COST_OF_OTHER_SOUND * sounds
        self.cost: IdArray = cost.astype(np.int32)
        self.widths = np.maximum(lengths, sounds).astype(np.uint8)
        """How many columns of its rows each word fills."""


def cost_of_rarity(words: int) -> IndexArray:
    """Return what words cost for not being frequent, most frequent first."""
    cost: IndexArray = np.rint(COST_OF_RARITY * np.log2(np.arange(words) + FLAT_RANKS)).astype(np.int64)
    return cost


class SimilarWords:
    """Known words, most frequent first, found by the keys that a word shares with them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._built: SimilarIndex | None = None

    @property
    def index(self) -> SimilarIndex:
        """Return the index."""
        # A model that is never asked about an unknown word needs none, and threads that ask at once need it once.
        with _BUILDING:
            if self._built is None:
                self._built = SimilarIndex(self.words)
            return self._built

    def for_kernel(self, rarity: FloatArray) -> tuple[AnyArray, ...]:
        """Return the arrays by which the compiled kernel finds the same words; it also wants to know their rarity."""
        spelt, table = self.index.spelt, self.index.table
        # A word begins where a line of the cache does, so that reading it reads one line.
        room = np.zeros((len(self.words) + 1) * PACKED.itemsize, dtype=np.uint8)
        begin = -room.ctypes.data % PACKED.itemsize
        known = room[begin:][: len(self.words) * PACKED.itemsize].view(PACKED)
        known["letters"], known["sounds"] = spelt.letters, spelt.sounds[:, :LONGEST]
        known["length"], known["sound length"] = spelt.lengths, spelt.sound_lengths
        known["cost"], known["rarity"] = cost_of_rarity(len(self.words)), rarity
        kernel.mark_letters(known)
        return letter_of(), *sound_table(), CLASSES, known, table.begins, table.entries

    @cached_property
    def kernel_settings(self) -> tuple[int, ...]:
        """Return the numbers that it needs beside them."""
        table = self.index.table
        costs = COST_OF_LETTER, COST_OF_OTHER_LETTER, COST_OF_SOUND, COST_OF_OTHER_SOUND, COST_OF_BEGINNING
        return table.bucket_bits, table.row_bits, MOST, COSTLIER, *costs

    def find(self, words: SpeltWords) -> Pairs:
        """Return the similar words of words, at most `MOST` each; a word that shares no key with any has none."""
        index = self.index
        query, row = _each_once(*_looked_up(words, index.table), index.table.row_bits)
        letters, sounds = _left_over(words, index.spelt, query, row)
        letters_left, sounds_left = bit_counts(letters).astype(np.int64), bit_counts(sounds).astype(np.int64)
        # What depends on the word alone is left out: it makes no difference between its candidates.
        cost = index.cost.take(row)
        cost += (COST_OF_LETTER + COST_OF_OTHER_LETTER) * letters_left
        cost += (COST_OF_SOUND + COST_OF_OTHER_SOUND) * sounds_left
        first, step = words.letters[:, 0], SIDES * WIDTH
        cost += COST_OF_BEGINNING * (first.take(query) != index.spelt.rows.take(row * step))
        kept, nth = _cheapest(query, cost)
        return Pairs(query.take(kept), row.take(kept), nth, letters.take(kept), sounds_left.take(kept))

    def find_one(self, word: SpeltWord) -> Pairs:
        """Return the similar words of one word, as `find` does, by fewer operations on arrays."""
        index, width = self.index, len(word.letters)
        row = index.table.rows_of_one(keys_of_one(word))
        rows, longest = index.spelt.rows.take(row, axis=0), np.maximum.reduce(index.widths.take(row), initial=0)
        history = left_after_each(word, rows[:, :: SOUNDS_OF - LETTERS_OF, :longest])
        left = history[-1]
        counts = bit_counts(left).astype(np.int32)
        cost = index.cost.take(row)
        cost += (COST_OF_LETTER + COST_OF_OTHER_LETTER) * counts[0]
        cost += (COST_OF_SOUND + COST_OF_OTHER_SOUND) * counts[1]
        cost += COST_OF_BEGINNING * (rows[:, LETTERS_OF, 0] != (word.letters[0] if width else 0))
        costs = cost.tolist()
        order = sorted(range(len(costs)), key=costs.__getitem__)[:MOST]
        kept = np.array([nth for nth in order if costs[nth] <= costs[order[0]] + COSTLIER], dtype=np.int64)
        row, nothing = row.take(kept), np.zeros(len(kept), dtype=np.int64)
        others = others_left(history[:, 0].take(kept, axis=1)) & first_bits(index.spelt.lengths.take(row))
        return Pairs(
            nothing,
            row,
            np.arange(len(kept)),
            left[0].take(kept),
            counts[1].take(kept).astype(np.int64),
            others,
        )


def _looked_up(words: SpeltWords, table: KeyTable) -> tuple[IndexArray, IndexArray]:
    """Return pairs of a word and a known word that share a key, some several times."""
    keys, present, _ = keys_of(words, asked=True)
    asked = present.ravel().nonzero()[0]
    found, row = table.look_up(keys.ravel().take(asked))
    return asked.take(found) // keys.shape[1], row


def _each_once(query: IndexArray, row: IndexArray, bits: int) -> tuple[IndexArray, IndexArray]:
    """Return pairs by word and row, each once."""
    pairs = query << bits | row
    # One number for both, so that one sort brings equal pairs together; small numbers are sorted twice as fast.
    pairs = np.sort(pairs.astype(np.uint32) if int(query.max(initial=0)).bit_length() + bits <= 32 else pairs)
    pairs = pairs.take(run_starts(pairs)).astype(np.int64)
    return pairs >> bits, pairs & (1 << bits) - 1


def _left_over(words: SpeltWords, known: SpeltWords, query: IndexArray, row: IndexArray) -> tuple[Bits, Bits]:
    """Return the letters and the sounds of the word that the known word lacks, for each pair."""
    # Letters and sounds of all pairs in one go: both are rows of small numbers, sounds being the smaller ones.
    positions = positions_of(words.rows.reshape(len(words) * SIDES, WIDTH), LETTERS)
    side, chosen = query * (SIDES * LETTERS), row * SIDES
    offset = np.concatenate([side + LETTERS_OF * LETTERS, side + SOUNDS_OF * LETTERS])
    choice = np.concatenate([chosen + LETTERS_OF, chosen + SOUNDS_OF])
    lengths = np.concatenate([known.lengths.take(row), known.sound_lengths.take(row)])
    left = unmatched(positions, offset, known.rows.reshape(len(known) * SIDES, WIDTH), choice, lengths)
    ends = np.concatenate([first_bits(words.lengths).take(query), first_bits(words.sound_lengths).take(query)])
    left &= ends
    return left[: len(query)], left[len(query) :]


def _cheapest(query: IndexArray, cost: IdArray) -> tuple[IndexArray, IndexArray]:
    """Return the indices of the cheapest pairs of each word in order, and which of them each is."""
    # Sorting numbers of 16 bits counts them, which takes a fraction of the time; the second sort keeps the first order.
    by_cost = np.argsort(cost.astype(np.uint16), kind="stable")
    small = query.astype(np.uint16) if len(query) and query[-1] < 1 << 16 else query
    order = by_cost.take(np.argsort(small.take(by_cost), kind="stable"))
    starts = run_starts(query)
    begins = np.repeat(starts, run_lengths(starts, len(query)))
    nth = np.arange(len(query)) - begins
    sorted_cost = cost.take(order)
    best = ((nth < MOST) & (sorted_cost <= sorted_cost.take(begins) + COSTLIER)).nonzero()[0]
    return order.take(best), nth.take(best)
