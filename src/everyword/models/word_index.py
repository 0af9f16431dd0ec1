"""From a word to its row by hashes in arrays, which can be saved: loading half a million words hashes none of them.

The hash of a word is simple enough for one line of Python, for NumPy and for C:

    value = (byte[0] + byte[1] * 256 + byte[2] * 256**2 + ...) mod MODULUS      of its bytes in UTF-8
    key = (value * MULTIPLIER mod 2**64) >> 32

Keys stand in an array in order, and in another one, at the same place, the row of the word that has the key. Different
words may have one key, and unknown words that of a known one: what is found is compared with the word itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from everyword import kernel
from everyword.arrays import AnyArray, BoolArray, HashArray, IndexArray
from everyword.errors import DamagedModelError
from everyword.models.word_list import LETTERS, LINE_END, Bytes, WordList, joined

MODULUS = 0xD6E8FEB8660B
"""A prime number of 48 bits."""
MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: it spreads numbers that are near each other."""
NOT_FOUND = -1
LONGEST = 255
"""Bytes of a word whose sum stays below 2**64; longer words are hashed one by one."""
WORDS_AT_ONCE = 1 << 15
"""Intermediate results take some hundred bytes per word."""
CHECKED = 100
"""Words of a saved index that are looked up when it is read."""
KEY_BITS, TAIL_BITS = 32, 16
FEW = 8
"""Up to so many words are faster one by one."""

Keys = NDArray[np.uint32]
Other = TypeVar("Other")
_WEIGHTS = np.array([pow(256, position, MODULUS) for position in range(LONGEST + 1)], dtype=np.uint64)


def word_key(encoded: bytes) -> int:
    """Return the key of a word in UTF-8.

    >>> hex(word_key(b"dog")), hex(word_key("naïve".encode()))
    ('0xd515319e', '0x968ef22c')
    """
    return (int.from_bytes(encoded, "little") % MODULUS * MULTIPLIER & 0xFFFFFFFFFFFFFFFF) >> 32


def word_keys(text: Bytes, begins: IndexArray, ends: IndexArray) -> Keys:
    """Return the keys of words that follow each other in a text, each with a line end behind it."""
    if not len(ends):
        return np.empty(0, dtype=np.uint32)
    lengths = ends - begins
    position = np.arange(len(text)) - np.repeat(begins, lengths + 1)
    parts: HashArray = text * _WEIGHTS[np.minimum(position, LONGEST)]
    parts[ends] = 0
    values = np.add.reduceat(parts, begins) % np.uint64(MODULUS)
    for index in np.flatnonzero(lengths > LONGEST).tolist():
        values[index] = int.from_bytes(text[begins[index] : ends[index]].tobytes(), "little") % MODULUS
    return (values * np.uint64(MULTIPLIER) >> np.uint64(32)).astype(np.uint32)


class WordIndex(Mapping[str, int]):
    """The row of each word, as a dictionary gives it, without an object for each word."""

    def __init__(self, words: WordList, keys: Keys, rows: Keys) -> None:
        self.words = words
        self.keys_in_order = keys
        """The keys of all words in ascending order."""
        self.rows = rows
        """The row of the word behind each key."""
        self._bytes, self._keys, self._rows = words.text.data, keys.data, rows.data
        self._arrays = (words.text, words.ends, keys, rows)
        self._has_small_ends = words.ends.dtype == np.uint32

    @cached_property
    def _begins(self) -> memoryview:
        """Return where the keys with each upper 16 bits begin, and the end of all."""
        begins = np.zeros((1 << (KEY_BITS - TAIL_BITS)) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.keys_in_order >> np.uint32(TAIL_BITS), minlength=len(begins) - 1), out=begins[1:])
        return begins.data

    def __reduce__(self) -> tuple[type[WordIndex], tuple[WordList, Keys, Keys]]:
        return WordIndex, (self.words, self.keys_in_order, self.rows)  # views of memory cannot be copied or pickled

    @classmethod
    def of(cls, words: WordList) -> WordIndex:
        """Hash all words."""
        keys = np.empty(len(words), dtype=np.uint32)
        for first in range(0, len(words), WORDS_AT_ONCE):
            ends = words.ends[first : first + WORDS_AT_ONCE].astype(np.int64)
            begin = int(words.ends[first - 1]) + 1 if first else 0
            text = words.text[begin : ends[-1] + 1]
            keys[first : first + WORDS_AT_ONCE] = word_keys(text, *_bounds(ends - begin))
        rows = np.argsort(keys, kind="stable")
        return cls(words, keys[rows], rows.astype(np.uint32))

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """Return the arrays to save, by name: five bytes a word instead of eight.

        `counts` says how many keys begin with each 16 bits, `tails` has the other 16 bits of each key, and `rows` the
        row of each in three bytes (or four), the lowest first.
        """
        counts = np.bincount(self.keys_in_order >> np.uint32(TAIL_BITS), minlength=1 << (KEY_BITS - TAIL_BITS))
        width = 3 if len(self) <= 1 << 24 else 4
        return {
            f"{name}.counts": counts.astype(np.uint16 if counts.max() < 1 << 16 else np.uint32),
            f"{name}.tails": self.keys_in_order.astype(np.uint16),
            f"{name}.rows": np.ascontiguousarray(self.rows.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width]),
        }

    @classmethod
    def from_tensors(cls, words: WordList, tensors: Mapping[str, AnyArray], name: str) -> WordIndex:
        """Read what `to_tensors` made; raise DamagedModelError if it cannot be the index of the words."""
        nothing = np.empty(0)
        counts, tails, rows = (tensors.get(f"{name}.{part}", nothing) for part in ("counts", "tails", "rows"))
        if _are_parts(len(words), counts, tails, rows):
            heads = np.repeat(np.arange(1 << 16, dtype=np.uint32) << np.uint32(16), counts)
            whole = np.zeros((len(rows), 4), dtype=np.uint8)
            whole[:, : rows.shape[1]] = rows
            heads += tails
            index = cls(words, heads, whole.view("<u4")[:, 0].astype(np.uint32))
            if index._fits():
                return index
        raise DamagedModelError(
            "The table by which the model finds its words does not fit them; download or save it again."
        )

    def _fits(self) -> bool:
        """Return whether every row is there and the first words are found, as in every index that was saved."""
        if not len(self):
            return True
        present = np.zeros(len(self), dtype=np.bool_)
        present[np.minimum(self.rows, len(self) - 1)] = True
        if not (present.all() and (self.keys_in_order[1:] >= self.keys_in_order[:-1]).all()):
            return False
        return bool((self.rows_of(self.words[:CHECKED]) != NOT_FOUND).all())

    def repeated(self) -> str | None:
        """Return a word that is listed twice, if there is one."""
        same, seen = np.zeros(len(self.keys_in_order), dtype=np.bool_), set[str]()
        np.equal(self.keys_in_order[1:], self.keys_in_order[:-1], out=same[1:])
        same[:-1] |= same[1:]
        for row in self.rows[same]:
            word = self.words[int(row)]
            if word in seen:
                return word
            seen.add(word)
        return None

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    @overload
    def get(self, word: str, /) -> int | None: ...

    @overload
    def get(self, word: str, /, default: int | Other) -> int | Other: ...

    def get(self, word: str, /, default: int | Other | None = None) -> int | Other | None:
        """Return the row of a word, or the default."""
        row = self._row(word)
        return default if row == NOT_FOUND else row

    def __getitem__(self, word: str) -> int:
        row = self._row(word)
        if row == NOT_FOUND:
            raise KeyError(word)
        return row

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._row(word) != NOT_FOUND

    def _row(self, word: str) -> int:
        if kernel.compiled and self._has_small_ends:
            return kernel.word_row(word, self._arrays)
        encoded = word.encode("utf-8", LETTERS)
        key, keys, begins = word_key(encoded), self._keys, self._begins
        at = bisect_left(keys, key, begins[key >> TAIL_BITS], begins[(key >> TAIL_BITS) + 1])
        while at < len(keys) and keys[at] == key:
            row = self._rows[at]
            end = int(self.words.ends[row])
            begin = end - len(encoded)
            # The line end before a word belongs to no word: with it, the beginning is compared too.
            if begin >= 0 and self._bytes[begin:end] == encoded and (begin == 0 or self._bytes[begin - 1] == LINE_END):
                return row
            at += 1
        return NOT_FOUND

    def rows_of(self, words: Sequence[str]) -> IndexArray:
        """Return the row of each word, -1 for a word that is not listed."""
        if kernel.compiled and self._has_small_ends:
            return kernel.word_rows(words, self._arrays)
        if len(words) <= FEW:
            return np.fromiter(map(self._row, words), dtype=np.int64, count=len(words))
        rows = np.empty(len(words), dtype=np.int64)
        for first in range(0, len(words), WORDS_AT_ONCE):
            part = words[first : first + WORDS_AT_ONCE]
            rows[first : first + WORDS_AT_ONCE] = self._rows_of_part(part)
        return rows

    def _rows_of_part(self, words: Sequence[str]) -> IndexArray:
        text = joined(words)
        begins, ends = _bounds(np.flatnonzero(text == LINE_END))
        if len(ends) != len(words):  # some word has a line end in it
            return np.fromiter(map(self._row, words), dtype=np.int64, count=len(words))
        found = np.full(len(words), NOT_FOUND, dtype=np.int64)
        if not len(self.keys_in_order):
            return found
        keys = word_keys(text, begins, ends)
        place, asked = np.searchsorted(self.keys_in_order, keys), np.arange(len(words))
        while len(asked):
            # Words of one key stand one after the other: go on to the next where the first was not meant.
            inside = place < len(self.keys_in_order)
            asked, place = asked[inside], place[inside]
            same = self.keys_in_order[place] == keys[asked]
            asked, place = asked[same], place[same]
            row = self.rows[place].astype(np.int64)
            right = self._equal(row, text, begins[asked], ends[asked])
            found[asked[right]] = row[right]
            asked, place = asked[~right], place[~right] + 1
        return found

    def _equal(self, rows: IndexArray, text: Bytes, begins: IndexArray, ends: IndexArray) -> BoolArray:
        """Return whether each word of a text is the stored word of a row."""
        stored, lengths = self.words.begins(rows), ends - begins
        equal: BoolArray = self.words.ends[rows] - stored == lengths
        compared = np.flatnonzero(equal & (lengths > 0))
        if not len(compared):
            return equal
        lengths = lengths[compared]
        starts = np.cumsum(lengths) - lengths
        here = np.arange(int(lengths.sum()))
        same = (
            self.words.text[here + np.repeat(stored[compared] - starts, lengths)]
            == text[here + np.repeat(begins[compared] - starts, lengths)]
        )
        equal[compared] = np.logical_and.reduceat(same, starts)
        return equal


def _bounds(ends: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Return beginnings and ends of words from the line ends behind them."""
    begins = np.empty_like(ends)
    begins[:1] = 0
    begins[1:] = ends[:-1] + 1
    return begins, ends


def _are_parts(words: int, counts: AnyArray, tails: AnyArray, rows: AnyArray) -> bool:
    """Return whether the arrays of a file have the types and sizes of a saved index."""
    return (
        counts.dtype in (np.uint16, np.uint32)
        and counts.shape == (1 << 16,)
        and int(counts.sum(dtype=np.uint64)) == words
        and tails.dtype == np.uint16
        and tails.shape == (words,)
        and rows.dtype == np.uint8
        and rows.shape in ((words, 3), (words, 4))
    )
