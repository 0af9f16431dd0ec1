"""Half a million words in one array of bytes instead of half a million Python objects."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, BoolArray, IndexArray

Bytes = NDArray[np.uint8]
LINE_END = 10
LETTERS = "surrogatepass"
"""Lone surrogates are characters like any other in memory; a file that has them is refused."""
WORDS_AT_ONCE = 8192
BYTES_AT_ONCE = 1 << 16


def joined(words: Iterable[str]) -> Bytes:
    """Return words as UTF-8 with a line end after each.

    >>> joined(["ab", "ç"]).tobytes()
    b'ab\\n\\xc3\\xa7\\n'
    """
    text = "\n".join([*words, ""])
    return np.frombuffer(text.encode("utf-8", LETTERS), dtype=np.uint8)


class WordList(Sequence[str]):
    """Words that are decoded when they are asked for; none of them holds a line end."""

    def __init__(self, text: Bytes) -> None:
        """`text` is UTF-8 with a line end after each word, as in words.txt."""
        self.text = text
        self.ends = _ends(text)
        """The position of the line end after each word."""

    @classmethod
    def of(cls, words: Iterable[str]) -> WordList:
        """Return words, which may be such a list already."""
        return words if isinstance(words, WordList) else cls(joined(words))

    def __len__(self) -> int:
        return len(self.ends)

    def begins(self, rows: IndexArray) -> IndexArray:
        """Return where words begin in the text."""
        return np.where(rows > 0, self.ends[rows - 1].astype(np.int64) + 1, 0)

    def encoded(self, row: int) -> bytes:
        """Return a word in UTF-8."""
        begin = int(self.ends[row - 1]) + 1 if row else 0
        return self.text[begin : int(self.ends[row])].tobytes()

    @overload
    def __getitem__(self, item: int) -> str: ...

    @overload
    def __getitem__(self, item: slice) -> list[str]: ...

    def __getitem__(self, item: int | slice) -> str | list[str]:
        """Return a word, or a list of words."""
        if isinstance(item, slice):
            rows = range(*item.indices(len(self)))
            return self._between(rows.start, rows.stop) if rows.step == 1 else [self[row] for row in rows]
        row = range(len(self))[item]  # negative rows count from the end, and others are an IndexError
        return self.encoded(row).decode("utf-8", LETTERS)

    def _between(self, first: int, stop: int) -> list[str]:
        if first >= stop:
            return []
        begin = int(self.ends[first - 1]) + 1 if first else 0
        return self.text[begin : int(self.ends[stop - 1])].tobytes().decode("utf-8", LETTERS).split("\n")

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), WORDS_AT_ONCE):
            yield from self._between(first, min(first + WORDS_AT_ONCE, len(self)))

    def __contains__(self, word: object) -> bool:
        return any(other == word for other in self)

    def __eq__(self, other: object) -> bool:
        """Return whether the other is a sequence of the same words."""
        if isinstance(other, WordList):
            return bool(np.array_equal(self.text, other.text))
        if not isinstance(other, Sequence) or isinstance(other, str) or len(other) != len(self):
            return False
        return all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self[:3]))
        return f"WordList({len(self):,} words{f': {first}, …' if first else ''})"

    def kept(self, keep: BoolArray) -> WordList:
        """Return some of the words, in their order."""
        if not len(self):
            return self
        text = self.text[: int(self.ends[-1]) + 1]
        return WordList(text[np.repeat(keep, self.ends + 1 - self.begins(np.arange(len(self))))])


def check_text(text: Bytes) -> None:
    """Raise UnicodeDecodeError if the bytes are not UTF-8."""
    # In parts, because the decoded whole would take up to four times the bytes.
    decoder = getincrementaldecoder("utf-8")()
    for first in range(0, len(text), BYTES_AT_ONCE):
        decoder.decode(text[first : first + BYTES_AT_ONCE].tobytes())
    decoder.decode(b"", final=True)


def _ends(text: Bytes) -> AnyArray:
    ends = [
        np.flatnonzero(text[first : first + BYTES_AT_ONCE] == LINE_END) + first
        for first in range(0, len(text), BYTES_AT_ONCE)
    ]
    kind = np.uint32 if len(text) < 1 << 32 else np.int64
    return np.concatenate(ends).astype(kind) if ends else np.empty(0, dtype=kind)
