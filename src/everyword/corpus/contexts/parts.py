"""Parts: partial results of a search as folders of plain arrays, written atomically, and merging several into one.

Merging is associative: counts are added up, and of the sentences those with the lowest hashes are kept.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword.arrays import AnyArray, HashArray, IdArray, IndexArray
from everyword.corpus.contexts.bottom_k import HASH_SHIFT, bottom_k, distinct
from everyword.corpus.contexts.scan import ScanResult
from everyword.errors import InputError

PARTIAL = ".partial-"
MIN_SENTENCE_BYTES = 2
"""Two quotes."""
TYPES = {"counts": np.int64, "keys": np.uint64, "numbers": np.int32, "ends": np.int64}
"""The arrays of a part: mentions per word, sorted keys, the sentence of each key, the ends of sentences in `text`."""
as_json = json.JSONEncoder(ensure_ascii=False).encode


class PartWriter:
    """Writes a part, which appears when `commit` renames its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Under a name of its own: after a lost connection two workers may write the same part.
        self._partial = Path(tempfile.mkdtemp(prefix=folder.name + PARTIAL, dir=folder.parent))
        self._files = {name: (self._partial / name).open("wb") for name in (*TYPES, "text")}
        self._sentences = self._end = 0

    @property
    def scratch(self) -> Path:
        """The path of a temporary file, removed with the unfinished part."""
        return self._partial / "scratch"

    def write(self, name: str, array: AnyArray) -> None:
        """Append to one of the arrays."""
        self._files[name].write(np.ascontiguousarray(array, dtype=TYPES[name]).data)

    def add_sentences(self, sentences: Iterable[bytes]) -> int:
        """Append sentences, as JSON strings, and return the number of the first."""
        texts = list(sentences)
        first = self._sentences
        ends = self._end + np.cumsum([len(sentence) for sentence in texts], dtype=np.int64)
        self._files["text"].write(b"".join(texts))
        self.write("ends", ends)
        self._sentences += len(texts)
        self._end = int(ends[-1]) if texts else self._end
        return first

    def commit(self) -> None:
        """Make the part appear."""
        for file in self._files.values():
            file.close()
        self.scratch.unlink(missing_ok=True)
        move_part(self._partial, self._folder)

    def discard(self) -> None:
        """Remove the unfinished part."""
        for file in self._files.values():
            file.close()
        shutil.rmtree(self._partial, ignore_errors=True)


def move_part(folder: Path, target: Path) -> None:
    """Rename a finished part; one that is there already is the same, and stays."""
    try:
        folder.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        shutil.rmtree(folder)


def write_scan_result(folder: Path, result: ScanResult) -> None:
    """Write the result of a scan as a part."""
    part = PartWriter(folder)
    try:
        part.write("counts", result.counts)
        part.write("keys", result.keys)
        part.write("numbers", result.numbers)
        part.add_sentences(as_json(sentence).encode() for sentence in result.sentences)
        part.commit()
    except BaseException:
        part.discard()
        raise


class PartReader:
    """Reads a part, a few rows at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._keys, self._ends = self._mapped("keys"), self._mapped("ends")
            self.sentences = len(self._ends)
            with (folder / "text").open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else None
        except (OSError, ValueError):
            raise self._damaged() from None
        # The lengths of the files reveal a part that lost its end, whoever cut it.
        ends = self._ends[-1] if self.sentences else 0
        if size != ends or bool(size) != bool(self.sentences) or self._length("numbers") != len(self._keys):
            raise self._damaged()

    def counts(self, rows: range) -> IndexArray:
        """Return the number of mentions of each word in a range of rows."""
        counts = self._read("counts", rows.start, rows.stop)
        if len(counts) != len(rows):
            raise self._damaged()
        return counts

    def keys(self, rows: range) -> tuple[HashArray, IdArray]:
        """Return the keys of the words in a range of rows, and the number of each key's sentence."""
        edges = np.array([rows.start, rows.stop], dtype=np.uint64) << HASH_SHIFT
        first, last = np.searchsorted(self._keys, edges).tolist()
        numbers = self._read("numbers", first, last)
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < self.sentences:
            raise self._damaged()
        return self._read("keys", first, last), numbers

    def texts(self, numbers: IndexArray) -> list[bytes]:
        """Return sentences as JSON strings."""
        text = self._text
        if text is None or not len(numbers):
            return []
        starts, ends = np.where(numbers > 0, self._ends[numbers - 1], 0), self._ends[numbers]
        if (ends - starts < MIN_SENTENCE_BYTES).any() or starts.min() < 0 or ends.max() > len(text):
            raise self._damaged()
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def release_memory(self) -> None:
        """Release the memory of the sentences that were read; they can be read again."""
        if self._text is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._text.madvise(mmap.MADV_DONTNEED)

    def _damaged(self) -> InputError:
        return InputError(f"{self._folder} is not a complete part; remove it and run again.")

    def _length(self, name: str) -> float:
        return (self._folder / name).stat().st_size / np.dtype(TYPES[name]).itemsize

    def _mapped(self, name: str) -> AnyArray:
        path, kind = self._folder / name, TYPES[name]
        return np.memmap(path, dtype=kind, mode="r") if path.stat().st_size else np.zeros(0, dtype=kind)

    def _read(self, name: str, first: int, last: int) -> AnyArray:
        kind = np.dtype(TYPES[name])
        return np.fromfile(self._folder / name, dtype=kind, count=last - first, offset=first * kind.itemsize)


KEYS_AT_ONCE = 1 << 19


class MergedRows(NamedTuple):
    """The words of a range of rows, from all parts."""

    rows: range
    counts: IndexArray
    keys: HashArray
    sentences: IndexArray
    """The number of each key's sentence, counted through all parts."""


class PartMerger:
    """Reads several parts as one. Of equal sentences, that of the first part is kept."""

    def __init__(self, folders: Sequence[Path], most: int) -> None:
        self._parts = [PartReader(folder) for folder in folders]
        self._most = most
        self._offsets = np.cumsum([0, *(part.sentences for part in self._parts)])
        self.sentences = int(self._offsets[-1])

    def read(self, rows: range) -> Iterator[MergedRows]:
        """Yield all words of a range, as many at a time as fit into little memory."""
        step = max(KEYS_AT_ONCE // (self._most * len(self._parts)), 1)
        for start in range(rows.start, rows.stop, step):
            yield self._merge(range(start, min(start + step, rows.stop)))

    def _merge(self, rows: range) -> MergedRows:
        read = [part.keys(rows) for part in self._parts]
        numbers = [own + offset for (_, own), offset in zip(read, self._offsets, strict=False)]
        keys, chosen = bottom_k(np.concatenate([keys for keys, _ in read]), np.concatenate(numbers), self._most)
        counts = np.sum([part.counts(rows) for part in self._parts], axis=0)
        return MergedRows(rows, counts, keys, chosen)

    def texts(self, numbers: IndexArray) -> list[bytes]:
        """Return the sentences of these numbers as JSON strings."""
        owners = np.searchsorted(self._offsets, numbers, side="right") - 1
        found: list[bytes] = [b""] * len(numbers)
        for owner, part in enumerate(self._parts):
            own = np.flatnonzero(owners == owner)
            for index, text in zip(own.tolist(), part.texts(numbers[own] - self._offsets[owner]), strict=True):
                found[index] = text
            part.release_memory()
        return found


def fold(folders: Sequence[Path], target: Path, rows: int, most: int) -> None:
    """Merge several parts into one; a sentence of several words is written once."""
    merge, writer = PartMerger(folders, most), PartWriter(target)
    try:
        # On disk, because there may be more sentences than fit into memory; 0 for those that are not written yet.
        numbers = np.memmap(writer.scratch, dtype=np.int32, mode="w+", shape=(merge.sentences + 1,))
        for merged in merge.read(range(rows)):
            new = distinct(merged.sentences[numbers[merged.sentences] == 0])
            first = writer.add_sentences(merge.texts(new))
            numbers[new] = np.arange(first + 1, first + 1 + len(new))
            writer.write("counts", merged.counts)
            writer.write("keys", merged.keys)
            writer.write("numbers", numbers[merged.sentences] - 1)
        del numbers
        writer.commit()
    except BaseException:
        writer.discard()
        raise
