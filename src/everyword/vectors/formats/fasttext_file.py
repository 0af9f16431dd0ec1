"""The layout of fastText `.bin` files: header, dictionary, input matrix and output matrix, in this order."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, FloatArray
from everyword.errors import InputError

MAGIC = 793712314
VERSIONS = (11, 12)
SUPERVISED = 3
NEGATIVE_SAMPLING, SOFTMAX = 2, 3
"""Losses whose output matrix has a row per word."""
WORD_ENTRY = 0
LONGEST_NGRAM = 64
LONGEST_WORD = 1 << 16

# dim, window, epochs, min count, negatives, word n-grams, loss, model, buckets, minn, maxn, rate updates, threshold
ARGUMENTS = struct.Struct("<12id")
# entries, words, labels, tokens, pruned n-grams (-1: none)
DICTIONARY = struct.Struct("<3i2q")
# count, type; after the word and a zero byte
ENTRY_TAIL = struct.Struct("<qb")
MATRIX = struct.Struct("<2q")


@dataclass(frozen=True)
class Shape:
    """Sizes of the model and of its n-grams."""

    dim: int
    buckets: int
    shortest: int
    longest: int


@dataclass(frozen=True)
class ModelFile:
    """The parts of a file; matrices stay on disk."""

    shape: Shape
    raw_words: list[bytes]
    """Every word of the dictionary, in row order."""
    counts: list[int]
    matrix: FloatArray
    """The input matrix: rows of words, then of n-grams."""
    loss: int
    supervised: bool
    output: FloatArray | None = None
    """The output matrix, if it was asked for: a row per word, label or node of a tree, depending on the loss."""


def open_file(path: str | Path, *, with_output: bool = False) -> ModelFile:
    """Open a fastText `.bin` file; raise InputError if it is not a complete one."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the path of a fastText .bin model.")
    data = np.memmap(path, dtype=np.uint8, mode="r") if path.stat().st_size else np.empty(0, dtype=np.uint8)
    try:
        return _Parser(path, data.data).parts(with_output)
    except struct.error:
        raise _cut_off(path) from None


class _Parser:
    """Parses the parts of the file in the order in which fastText wrote them."""

    def __init__(self, path: Path, data: memoryview) -> None:
        self._path = path
        self._data = data
        self._offset = 0

    def parts(self, with_output: bool) -> ModelFile:
        """Parse all parts up to the input matrix, or up to the output matrix."""
        version = self._version()
        shape, loss, supervised = self._arguments(version)
        raw_words, counts = self._dictionary()
        needed = len(raw_words) + (shape.buckets if shape.longest > 0 else 0)
        matrix = self._matrix(shape, needed)
        output = self._matrix(shape, 0) if with_output else None
        return ModelFile(shape, raw_words, counts, matrix, loss, supervised, output)

    def _take(self, layout: struct.Struct) -> tuple[int, ...]:
        values = layout.unpack_from(self._data, self._offset)
        self._offset += layout.size
        return values

    def _version(self) -> int:
        magic, version = self._take(struct.Struct("<2i"))
        if magic != MAGIC:
            raise InputError(f"{self._path} is not a fastText model: it begins with {magic}, not {MAGIC}.")
        if version not in VERSIONS:
            raise InputError(f"{self._path} is a fastText model of version {version}; only 11 and 12 can be read.")
        return version

    def _arguments(self, version: int) -> tuple[Shape, int, bool]:
        arguments = self._take(ARGUMENTS)
        dim, loss, model, buckets, shortest, longest = (arguments[index] for index in (0, 6, 7, 8, 9, 10))
        if not 1 <= dim <= MOST_DIMENSIONS or buckets < 0 or (buckets == 0 and longest > 0) or longest > LONGEST_NGRAM:
            raise InputError(
                f"{self._path}: the header has dim {dim}, {buckets} buckets and n-grams up to {longest}; "
                "the file is damaged."
            )
        if version == 11 and model == SUPERVISED:
            # Classifiers of that time stored a length of n-grams that they did not use.
            longest = 0
        return Shape(dim, buckets, shortest, longest), loss, model == SUPERVISED

    def _dictionary(self) -> tuple[list[bytes], list[int]]:
        entries, word_count, _, _, pruned = self._take(DICTIONARY)
        if pruned >= 0:
            raise self._quantised()
        found = [(word, count) for word, count, kind in self._entries(entries) if kind == WORD_ENTRY]
        if len(found) != word_count:
            raise InputError(f"{self._path}: the dictionary should have {word_count} words but has {len(found)}.")
        return [word for word, _ in found], [count for _, count in found]

    def _entries(self, count: int) -> Iterator[tuple[bytes, int, int]]:
        for _ in range(count):
            word = self._word()
            yield word, *self._take(ENTRY_TAIL)  # type: ignore[misc]

    def _word(self) -> bytes:
        # Most words end within 64 bytes; a longer one takes further looks.
        for length in (64, 4096, LONGEST_WORD):
            head, zero, _ = bytes(self._data[self._offset : self._offset + length]).partition(b"\0")
            if zero:
                self._offset += len(head) + 1
                return head
        raise _cut_off(self._path)

    def _matrix(self, shape: Shape, needed: int) -> FloatArray:
        (quantised,) = self._take(struct.Struct("<?"))
        if quantised:
            raise self._quantised()
        rows, columns = self._take(MATRIX)
        if columns != shape.dim or rows < needed:
            raise InputError(
                f"{self._path}: the matrix should have {needed} rows of {shape.dim} but has {rows} of {columns}; "
                "the file is damaged."
            )
        start, self._offset = self._offset, self._offset + 4 * rows * columns
        if self._offset > len(self._data):
            raise _cut_off(self._path)
        return np.memmap(self._path, dtype="<f4", mode="r", offset=start, shape=(rows, columns))

    def _quantised(self) -> InputError:
        return InputError(
            f"{self._path} is a quantised fastText model (.ftz), whose vectors are only approximations; "
            "give the .bin model it was made from."
        )


def _cut_off(path: Path) -> InputError:
    return InputError(f"{path}: the fastText model ends too early; fetch the file again.")
