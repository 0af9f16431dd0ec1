"""A hash table of n-grams, looked up for many words at once.

With characters as digits after a leading one, an n-gram is a number, and that of n characters comes from that of its
first n - 1: one product and one sum for all positions of all words. A hash table maps the number to a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from everyword import kernel
from everyword.arrays import IdArray, IndexArray
from everyword.text.units import PAD, UNK, Sequences

Numbers = NDArray[np.uint64]

SCATTER = 0x9E3779B97F4A7C15
"""Spreads numbers over the table; and the base where there are too many characters for a number without loss."""
SLOTS_PER_NGRAM = 3
WORDS_AT_ONCE = 1024
"""Enough that NumPy's calls cost nothing, few enough that all arrays of a block stay in the cache."""
FOREIGN = 0
"""The digit of a character in no n-gram, and of the position between two words: no listed number has it."""


class NgramIndex:
    """Listed n-grams and their rows, looked up for whole lists of words.

    A number has 64 bits. For 6-grams of up to 1,447 different characters it is without loss, and so is the answer;
    beyond that, a foreign n-gram is taken for a listed one about once in 10^14.
    """

    def __init__(self, rows: Mapping[str, int], shortest: int, longest: int, marks: tuple[str, str]) -> None:
        self._shortest, self._longest, self._marks = shortest, longest, marks
        characters = sorted({character for ngram in rows for character in ngram})
        self._digits = np.zeros(max(map(ord, characters), default=0) + 2, dtype=np.uint64)
        self._digits[list(map(ord, characters))] = np.arange(1, len(characters) + 1, dtype=np.uint64)
        without_loss = 2 * (len(characters) + 1) ** longest <= 1 << 64
        self._base = np.uint64(len(characters) + 1 if without_loss else SCATTER)
        self._fill(rows)

    def _fill(self, rows: Mapping[str, int]) -> None:
        bits = max(1, (SLOTS_PER_NGRAM * len(rows) - 1).bit_length())
        self._shift, self._mask = np.uint64(64 - bits), (1 << bits) - 1
        self._numbers = np.zeros(1 << bits, dtype=np.uint64)
        self._rows: IdArray = np.full(1 << bits, PAD, dtype=np.int32)
        usable = [ngram for ngram in rows if self._shortest <= len(ngram) <= self._longest]
        numbers, listed = self._numbers_of(usable), np.array([rows[ngram] for ngram in usable], dtype=np.int32)
        slots = self._home(numbers)
        while len(numbers):
            # Of those that want the same free slot, the first gets it; all others try the next slot.
            free = np.flatnonzero(self._rows[slots] == PAD)
            first = free[np.unique(slots[free], return_index=True)[1]]
            self._numbers[slots[first]], self._rows[slots[first]] = numbers[first], listed[first]
            waiting = np.ones(len(numbers), dtype=bool)
            waiting[first] = False
            numbers, listed, slots = numbers[waiting], listed[waiting], (slots[waiting] + 1) & self._mask

    def _numbers_of(self, ngrams: Sequence[str]) -> Numbers:
        numbers = np.ones(len(ngrams), dtype=np.uint64)
        lengths = np.array(list(map(len, ngrams)), dtype=np.int64)
        digits, starts = self._digits_of("".join(ngrams)), np.cumsum(lengths) - lengths
        for position in range(lengths.max(initial=0)):
            longer = np.flatnonzero(lengths > position)
            numbers[longer] = numbers[longer] * self._base + digits[starts[longer] + position]
        return numbers

    def _digits_of(self, text: str) -> Numbers:
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        digits: Numbers = self._digits[np.minimum(points, len(self._digits) - 1)]
        return digits

    def _home(self, numbers: Numbers) -> IndexArray:
        return ((numbers * np.uint64(SCATTER)) >> self._shift).view(np.int64)

    def sequences(self, words: Sequence[str]) -> Sequences:
        """Return the rows of the listed n-grams of each word, from left to right; `UNK` for a word without any."""
        if kernel.compiled:
            tables = self._digits, self._numbers, self._rows
            settings = int(self._base), int(self._shift), self._shortest, self._longest
            return Sequences(*kernel.ngram_rows(words, tables, settings, self._marks))
        blocks = [self._block(words[first : first + WORDS_AT_ONCE]) for first in range(0, len(words), WORDS_AT_ONCE)]
        return Sequences.joined(blocks) if blocks else Sequences.of([])

    def _block(self, words: Sequence[str]) -> Sequences:
        begin, end = self._marks
        ends = np.cumsum(np.array(list(map(len, words)), dtype=np.int64) + 3)  # two marks and the space
        digits = self._digits_of(begin + f"{end} {begin}".join(words) + f"{end} ")
        digits[ends - 1] = FOREIGN
        rows = self._look_up(self._numbers_of_all_positions(digits))
        per_position = len(rows) // len(digits)
        found = np.flatnonzero(rows)
        lengths = np.diff(np.searchsorted(found, ends * per_position), prepend=0)
        without = np.flatnonzero(lengths == 0)
        if len(without):
            rows[ends[without] * per_position - 1], lengths[without] = UNK, 1  # where a word ends no n-gram begins
            found = np.flatnonzero(rows)
        return Sequences(rows[found].astype(np.int64), lengths)

    def _numbers_of_all_positions(self, digits: Numbers) -> Numbers:
        """Return the numbers of the n-grams that begin at each position, from the shortest to the longest."""
        numbers = np.ones(len(digits) + 1, dtype=np.uint64)
        of_lengths = np.zeros((len(digits), self._longest - self._shortest + 1), dtype=np.uint64)
        for length in range(1, min(self._longest, len(digits)) + 1):
            numbers = numbers[:-1] * self._base
            numbers += digits[length - 1 :]
            if length >= self._shortest:
                of_lengths[: len(numbers), length - self._shortest] = numbers
        return of_lengths.ravel()

    def _look_up(self, numbers: Numbers) -> IdArray:
        slots = self._home(numbers)
        rows = self._rows[slots]
        other = np.flatnonzero((self._numbers[slots] != numbers) & (rows != PAD))
        rows[other] = self._look_further(numbers[other], slots[other])
        return rows

    def _look_further(self, numbers: Numbers, slots: IndexArray) -> IdArray:
        """The rows of numbers whose home belongs to another, from the slots after it."""
        found: IdArray = np.full(len(numbers), PAD, dtype=np.int32)
        unresolved = np.arange(len(numbers))
        while len(unresolved):
            slots = (slots + 1) & self._mask
            rows = self._rows[slots]
            same = self._numbers[slots] == numbers
            found[unresolved[same]] = rows[same]
            go_on = ~same & (rows != PAD)
            unresolved, numbers, slots = unresolved[go_on], numbers[go_on], slots[go_on]
        return found
