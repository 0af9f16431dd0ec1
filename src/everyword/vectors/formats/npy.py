"""NumPy: the matrix in `X.npy`, mapped into memory when read; the words one per line in `X.words.txt` beside it.

Words and matrix must be of one table, also after a writer was killed between their two moves. The words are opened
first and renamed first: a temporary matrix without temporary words is complete, and belongs to the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from everyword.arrays import MOST_DIMENSIONS, FloatArray
from everyword.atomic import AtomicFiles, partial_path
from everyword.errors import InputError
from everyword.vectors.formats.base import LINE_BREAKS, Block, Format, Rows, encode_words, refuse_leading_mark
from everyword.vectors.formats.row_filter import RowFilter, admitted
from everyword.vectors.formats.text_rows import UTF8_BOM
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems

NAME = "npy"
MAGIC = b"\x93NUMPY"
HEADER_BYTES = 128


def words_path(path: Path) -> Path:
    """Return the path of the words of a matrix.

    >>> words_path(Path("glove.npy")).name
    'glove.words.txt'
    """
    return path.with_suffix(".words.txt")


def recognises(head: bytes) -> bool:
    """Return whether the bytes begin like a NumPy file."""
    return head.startswith(MAGIC)


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Map the matrix and open the rows."""
    path = source.require_plain(NAME)
    matrix = _map_matrix(partial_path(path) if _waits(path) else path)
    words = _read_words(words_path(path))
    row_filter = RowFilter(source, problems, matrix.shape[1], "row")
    if len(words) != len(matrix):
        row_filter.remark(f"the matrix has {len(matrix)} rows but {words_path(path)} has {len(words)} words")
    mapped = matrix if matrix.dtype == np.float32 else None
    return Rows(matrix.shape[1], len(matrix), _blocks(words, matrix, row_filter, block_rows), mapped)


def _waits(path: Path) -> bool:
    """Return whether the words are in index and their matrix has only to be renamed."""
    return partial_path(path).is_file() and not partial_path(words_path(path)).is_file()


def _map_matrix(path: Path) -> FloatArray:
    try:
        with np.errstate(over="raise"):  # a shape beyond all numbers
            matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:
        # NumPy parses the header as Python, so damage there surfaces as almost any kind of error.
        reason = " ".join(f"{error!s:.200}".split())
        raise InputError(f"{path}: this .npy file is damaged or holds no plain array ({reason}).") from error
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or not 1 <= matrix.shape[1] <= MOST_DIMENSIONS:
        raise InputError(
            f"{path}: expected a matrix of floats with one row per word but the file holds an array of type "
            f"{matrix.dtype} and shape {matrix.shape}; convert it first."
        )
    return matrix  # type: ignore[no-any-return]


def _read_words(path: Path) -> list[bytes]:
    if not path.is_file():
        raise InputError(f"There is no file {path}; it should hold the words of the .npy matrix, one per line.")
    lines = path.read_bytes().removeprefix(UTF8_BOM).split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix(b"\r") for line in lines]


def _blocks(words: list[bytes], matrix: FloatArray, row_filter: RowFilter, block_rows: int) -> Iterator[Block]:
    for start in range(0, min(len(words), len(matrix)), block_rows):
        raw_words = words[start : start + block_rows]
        rows = _as_float32(matrix[start : min(start + block_rows, len(words))])
        block = admitted(raw_words[: len(rows)], rows, row_filter, start + 1)
        if block[0]:
            yield block


def _as_float32(rows: FloatArray) -> FloatArray:
    # A float64 too large for float32 becomes infinite here and is then reported like any other infinity.
    with np.errstate(over="ignore"):
        return rows.astype(np.float32, copy=False)


class NpySink:
    """Writes the matrix with a header of fixed length, and the words beside it."""

    def __init__(self, staging: AtomicFiles, dim: int, count: int | None) -> None:
        if staging.path.suffix != ".npy":
            raise InputError(f"{staging.path}: a matrix that is mapped into memory must be a plain file named *.npy.")
        if _waits(staging.path):
            partial_path(staging.path).replace(staging.path)
        self._dim = dim
        self._words_file = staging.open(words_path(staging.path))
        self._matrix_file = staging.open()
        self._matrix_file.write(_header(0, dim))
        self._empty = True

    def put(self, words: list[str], rows: FloatArray) -> None:
        encoded = self._encoded(words)
        if self._empty and words:
            refuse_leading_mark(words[0], NAME)
            self._empty = False
        self._words_file.write(b"".join(word + b"\n" for word in encoded))
        self._matrix_file.write(rows.astype("<f4", copy=False).tobytes())

    def finish(self, count: int) -> None:
        """Rewrite the header with the number of rows."""
        self._matrix_file.seek(0)
        self._matrix_file.write(_header(count, self._dim))

    def _encoded(self, words: list[str]) -> list[bytes]:
        return encode_words(words, LINE_BREAKS, NAME, "remove the word")


class LineSink(NpySink):
    """Writes a row per line of a text, whose lines may be empty or repeat each other."""

    def _encoded(self, words: list[str]) -> list[bytes]:
        encoded = iter(super()._encoded([word for word in words if word]))
        return [next(encoded) if word else b"" for word in words]


def _header(count: int, dim: int) -> bytes:
    # Version 1.0 of the format: magic, version, length of the rest, a Python dict padded with blanks.
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count}, {dim}), }}"
    length = HEADER_BYTES - len(MAGIC) - 4
    return MAGIC + b"\x01\x00" + length.to_bytes(2, "little") + text.ljust(length - 1).encode("ascii") + b"\n"


FORMAT = Format(
    name=NAME,
    description="NumPy: the matrix in X.npy (memory-mapped), the words one per line in X.words.txt",
    suffixes=(".npy",),
    recognises=recognises,
    read=read,
    open_sink=NpySink,
)
