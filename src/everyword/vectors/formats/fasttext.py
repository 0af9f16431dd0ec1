"""fastText `.bin` models, read in index: any word, known or not, gets the vector that fastText gives it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, FloatArray
from everyword.errors import InputError
from everyword.vectors.formats.base import Block, Format, Rows
from everyword.vectors.formats.row_filter import BlockBuilder, RowFilter
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

MAGIC = 793712314
VERSIONS = (11, 12)
SUPERVISED = 3
WORD_ENTRY = 0
LONGEST_NGRAM = 64
LONGEST_WORD = 1 << 16
END_OF_SENTENCE = "</s>"

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
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the path of a fastText .bin model.")
    data = np.memmap(path, dtype=np.uint8, mode="r") if path.stat().st_size else np.empty(0, dtype=np.uint8)
    try:
        return _Parser(path, data.data).model()
    except struct.error:
        raise _cut_off(path) from None


class _Parser:
    """Parses the parts of the file in the order in which fastText wrote them."""

    def __init__(self, path: Path, data: memoryview) -> None:
        self._path = path
        self._data = data
        self._offset = 0

    def model(self) -> FastTextModel:
        """Parse all parts up to the input matrix; the output matrix is not needed."""
        version = self._version()
        shape = self._shape(version)
        raw_words = self._dictionary()
        return FastTextModel(shape, raw_words, self._matrix(shape, len(raw_words)))

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

    def _shape(self, version: int) -> Shape:
        arguments = self._take(ARGUMENTS)
        dim, model, buckets, shortest, longest = (arguments[index] for index in (0, 7, 8, 9, 10))
        if not 1 <= dim <= MOST_DIMENSIONS or buckets < 0 or (buckets == 0 and longest > 0) or longest > LONGEST_NGRAM:
            raise InputError(
                f"{self._path}: the header has dim {dim}, {buckets} buckets and n-grams up to {longest}; "
                "the file is damaged."
            )
        if version == 11 and model == SUPERVISED:
            # Classifiers of that time stored a length of n-grams that they did not use.
            longest = 0
        return Shape(dim, buckets, shortest, longest)

    def _dictionary(self) -> list[bytes]:
        entries, word_count, _, _, pruned = self._take(DICTIONARY)
        if pruned >= 0:
            raise self._quantised()
        words = [word for word, kind in self._entries(entries) if kind == WORD_ENTRY]
        if len(words) != word_count:
            raise InputError(f"{self._path}: the dictionary should have {word_count} words but has {len(words)}.")
        return words

    def _entries(self, count: int) -> Iterator[tuple[bytes, int]]:
        for _ in range(count):
            word = self._word()
            _, kind = self._take(ENTRY_TAIL)
            yield word, kind

    def _word(self) -> bytes:
        # Most words end within 64 bytes; a longer one takes further looks.
        for length in (64, 4096, LONGEST_WORD):
            head, zero, _ = bytes(self._data[self._offset : self._offset + length]).partition(b"\0")
            if zero:
                self._offset += len(head) + 1
                return head
        raise _cut_off(self._path)

    def _matrix(self, shape: Shape, word_count: int) -> FloatArray:
        (quantised,) = self._take(struct.Struct("<?"))
        if quantised:
            raise self._quantised()
        rows, columns = self._take(MATRIX)
        needed = word_count + (shape.buckets if shape.longest > 0 else 0)
        if columns != shape.dim or rows < needed:
            raise InputError(
                f"{self._path}: the matrix should have {needed} rows of {shape.dim} but has {rows} of {columns}; "
                "the file is damaged."
            )
        if self._offset + 4 * rows * columns > len(self._data):
            raise _cut_off(self._path)
        return np.memmap(self._path, dtype="<f4", mode="r", offset=self._offset, shape=(rows, columns))

    def _quantised(self) -> InputError:
        return InputError(
            f"{self._path} is a quantised fastText model (.ftz), whose vectors are only approximations; "
            "give the .bin model it was made from."
        )


def _text_words(raw_words: list[bytes]) -> Iterator[tuple[str, int]]:
    for row, raw in enumerate(raw_words):
        try:
            yield raw.decode("utf-8"), row
        except UnicodeDecodeError:
            continue


def _cut_off(path: Path) -> InputError:
    return InputError(f"{path}: the fastText model ends too early; fetch the file again.")


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
