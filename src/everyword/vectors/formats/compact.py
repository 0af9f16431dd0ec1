"""A table in fewer bytes: a safetensors file with the words and a matrix as it is stored.

words       the words as UTF-8, one per line
vectors*    floats, int8 or int4 with scales, codes with their codebooks, or a bit mask with what it leaves
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from everyword.arrays import MOST_DIMENSIONS, AnyArray, FloatArray, read_tensors
from everyword.atomic import AtomicFiles
from everyword.errors import DamagedModelError, InputError
from everyword.vectors.formats.base import LINE_BREAKS, Block, Format, Rows, encode_words
from everyword.vectors.formats.row_filter import RowFilter, admitted
from everyword.vectors.input_file import InputFile
from everyword.vectors.problems import Problems
from everyword.vectors.storage.quantised import QuantisedMatrix, read_matrix
from everyword.vectors.storage.sparse import SparseMatrix
from everyword.vectors.storage.stored import StoredMatrix

NAME = "compact"
SUFFIX = ".safetensors"
MARK = "everyword-vectors"
VERSION = "1"
WORDS, VECTORS = "words", "vectors"

Packed = StoredMatrix | QuantisedMatrix | SparseMatrix


def recognises(head: bytes) -> bool:
    """Return whether the bytes begin like a safetensors file of vectors."""
    return head[8:9] == b"{" and MARK.encode() in head[:4096]


def read(source: InputFile, problems: Problems, block_rows: int) -> Rows:
    """Read words and matrix and open the rows, which become floats block by block."""
    path = source.require_plain(NAME)
    try:
        tensors, metadata = read_tensors(path, mapped=True)
        words, matrix = _words(tensors), _matrix(tensors, metadata)
    except (ValueError, OverflowError, MemoryError, DamagedModelError) as error:
        raise InputError(f"{path}: this file of vectors is damaged or incomplete ({error!s:.200}).") from None
    row_filter = RowFilter(source, problems, matrix.shape[1], "row")
    if len(words) != len(matrix):
        row_filter.remark(f"the matrix has {len(matrix)} rows but there are {len(words)} words")
    blocks = _blocks(words, matrix, row_filter, block_rows)
    return Rows(matrix.shape[1], len(matrix), blocks, stored_as=matrix.precision)


def _words(tensors: dict[str, AnyArray]) -> list[bytes]:
    joined = tensors.get(WORDS)
    if joined is None or joined.dtype != np.uint8 or joined.ndim != 1:
        raise ValueError("it has no words")
    return joined.tobytes().split(b"\n")[:-1]


def _matrix(tensors: dict[str, AnyArray], metadata: dict[str, str]) -> Packed:
    if metadata.get("version") != VERSION:
        raise ValueError(f"it is of version {metadata.get('version')!r:.20}, and version {VERSION!r} can be read")
    if f"{VECTORS}.mask" in tensors:
        return SparseMatrix.from_tensors(tensors, VECTORS, int(metadata.get("dim", "")))
    matrix = read_matrix(tensors, VECTORS)
    if len(matrix.shape) != 2 or not 1 <= matrix.shape[1] <= MOST_DIMENSIONS:
        raise ValueError("its vectors are not a matrix")
    return matrix


def _blocks(words: list[bytes], matrix: Packed, row_filter: RowFilter, block_rows: int) -> Iterator[Block]:
    count = min(len(words), len(matrix))
    for start in range(0, count, block_rows):
        rows = matrix.floats(slice(start, min(start + block_rows, count)))
        block = admitted(words[start : start + len(rows)], rows, row_filter, start + 1)
        if block[0]:
            yield block


class CompactSink:
    """Collects the rows and writes them as float32 when all are there."""

    def __init__(self, staging: AtomicFiles, dim: int, count: int | None) -> None:
        if staging.compressed:
            raise InputError(f"{staging.path}: a file of packed vectors cannot be compressed again; name it *{SUFFIX}.")
        self._file = staging.open()
        self._words: list[bytes] = []
        self._rows: list[FloatArray] = [np.empty((0, dim), dtype=np.float32)]

    def put(self, words: list[str], rows: FloatArray) -> None:
        self._words += _encoded(words)
        self._rows.append(rows.astype(np.float32))

    def finish(self, count: int) -> None:
        """Write everything."""
        self._file.write(_content(self._words, StoredMatrix(np.concatenate(self._rows))))


def write_compact(path: Path, words: Sequence[str], matrix: Packed) -> None:
    """Write a table with its matrix as it is stored; the file appears when it is complete."""
    if path.suffix != SUFFIX:
        raise InputError(f"{path}: a file of packed vectors must end in {SUFFIX}.")
    if len(words) != len(matrix):
        raise InputError(f"{path}: {len(words)} words cannot go with {len(matrix)} rows.")
    content = _content(_encoded(words), matrix)
    staging = AtomicFiles(path)
    try:
        staging.open().write(content)
        staging.commit()
    except BaseException:
        staging.discard()
        raise


def _encoded(words: Sequence[str]) -> list[bytes]:
    return encode_words(list(words), LINE_BREAKS, NAME, "remove the word")


def _content(words: list[bytes], matrix: Packed) -> bytes:
    joined = np.frombuffer(b"".join(word + b"\n" for word in words), dtype=np.uint8)
    metadata = {"format": MARK, "version": VERSION, "dim": str(matrix.shape[1]), "stored_as": matrix.precision}
    tensors = {name: np.ascontiguousarray(array) for name, array in matrix.to_tensors(VECTORS).items()}
    return save({WORDS: joined, **tensors}, metadata)


FORMAT = Format(
    name=NAME,
    description="safetensors of words and vectors, as floats, int8, int4, codes or a bit mask ('everyword shrink')",
    suffixes=(SUFFIX,),
    recognises=recognises,
    read=read,
    open_sink=CompactSink,
)
