"""fastText `.bin` models, read in index: any word, known or not, gets the vector that fastText gives it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray
from everyword.vectors.formats.base import Block, Format, Rows
from everyword.vectors.formats.fasttext_file import MAGIC, Shape, open_file
from everyword.vectors.formats.row_filter import BlockBuilder, RowFilter
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

END_OF_SENTENCE = "</s>"


class FastTextModel:
    """The words and the input matrix of a fastText model.

    `raw_words` holds every word of the dictionary as bytes, in row order; `words` those that are UTF-8 text.
    """

    def __init__(self, shape: Shape, raw_words: list[bytes], matrix: FloatArray) -> None:
        self.shape = shape
        self.raw_words = raw_words
        self.matrix = matrix
        self._row_of = dict(_text_words(raw_words))

    @property
    def words(self) -> list[str]:
        """Known words, most frequent first."""
        return list(self._row_of)

    @property
    def dim(self) -> int:
        return self.shape.dim

    def __contains__(self, word: object) -> bool:
        return word in self._row_of

    def ngram_rows(self, word: str) -> list[int]:
        """Return the rows of the word's character n-grams, in fastText's order."""
        shape = self.shape
        if shape.longest <= 0 or word == END_OF_SENTENCE:
            return []
        first = len(self.raw_words)
        return [first + bucket for bucket in subword_buckets(word, shape.shortest, shape.longest, shape.buckets)]

    def vector(self, word: str) -> FloatArray:
        """Return the mean of the word's own row, if it is known, and its n-gram rows; zeros if there are none.

        Args:
            word: Any word.

        Returns:
            A float32 vector.
        """
        rows = self.ngram_rows(word)
        own_row = self._row_of.get(word)
        if own_row is not None:
            rows.insert(0, own_row)
        if not rows:
            return np.zeros(self.dim, dtype=np.float32)
        mean: FloatArray = self.matrix[rows].mean(axis=0, dtype=np.float32)
        return mean


def load_fasttext(path: str | Path) -> FastTextModel:
    """Open a fastText `.bin` model; its matrix stays on disk.

    Args:
        path: A model file, not quantised.

    Returns:
        The model, which has a vector for any word.

    Raises:
        InputError: If the file is not a complete fastText model.
    """
    parts = open_file(path)
    return FastTextModel(parts.shape, parts.raw_words, parts.matrix)


def _text_words(raw_words: list[bytes]) -> Iterator[tuple[str, int]]:
    for row, raw in enumerate(raw_words):
        try:
            yield raw.decode("utf-8"), row
        except UnicodeDecodeError:
            continue


FNV_OFFSET = 2166136261
FNV_PRIME = 16777619
MASK = 0xFFFFFFFF

# fastText hashes signed bytes: a byte of 128 or more is extended with ones to 32 bits before the exclusive or.
SIGNED = [byte if byte < 128 else byte | 0xFFFFFF00 for byte in range(256)]


def fasttext_hash(data: bytes) -> int:
    """FNV-1a as fastText computes it."""
    value = FNV_OFFSET
    for byte in data:
        value = ((value ^ SIGNED[byte]) * FNV_PRIME) & MASK
    return value


def subword_ngrams(word: str, shortest: int, longest: int) -> list[str]:
    """Return the n-grams of `<word>` in fastText's order, without lone boundary marks."""
    marked = f"<{word}>"
    return [marked[start:end] for start, end in _spans(len(marked), shortest, longest)]


def subword_buckets(word: str, shortest: int, longest: int, buckets: int) -> list[int]:
    """Return the bucket of each n-gram, extending the hash of every start character by character."""
    characters = [character.encode("utf-8", "surrogatepass") for character in f"<{word}>"]
    found = []
    for start in range(len(characters)):
        value = FNV_OFFSET
        for end in range(start + 1, min(start + longest, len(characters)) + 1):
            for byte in characters[end - 1]:
                value = ((value ^ SIGNED[byte]) * FNV_PRIME) & MASK
            if end - start >= shortest and not _boundary_alone(start, end, len(characters)):
                found.append(value % buckets)
    return found


def _spans(length: int, shortest: int, longest: int) -> list[tuple[int, int]]:
    return [
        (start, end)
        for start in range(length)
        for end in range(start + max(shortest, 1), min(start + longest, length) + 1)
        if not _boundary_alone(start, end, length)
    ]


def _boundary_alone(start: int, end: int, length: int) -> bool:
    return end - start == 1 and (start == 0 or end == length)


NAME = "fasttext"


def recognises(head: bytes) -> bool:
    """Return whether the bytes begin like a fastText model."""
    return head[:4] == MAGIC.to_bytes(4, "little")


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Open the model and compute its rows block by block."""
    model = load_fasttext(source.require_plain(NAME))
    row_filter = RowFilter(source, problems, model.dim, "row")
    return Rows(model.dim, len(model.raw_words), _blocks(model, row_filter, block_rows))


def _blocks(model: FastTextModel, row_filter: RowFilter, block_rows: int) -> Iterator[Block]:
    for start in range(0, len(model.raw_words), block_rows):
        raw_words = model.raw_words[start : start + block_rows]
        builder = BlockBuilder(len(raw_words), model.dim)
        for number, raw in enumerate(raw_words, start + 1):
            word = row_filter.word(raw, number)
            if word is not None and row_filter.accepts(word, row := model.vector(word), number):
                builder.add(word, row)
        if builder.words:
            yield builder.block()


FORMAT = Format(
    name=NAME,
    description="fastText model .bin, versions 11 and 12; quantised .ftz models are refused",
    suffixes=(),
    recognises=recognises,
    read=read,
)
