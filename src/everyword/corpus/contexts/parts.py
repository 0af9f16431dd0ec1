"""What was found in some of the corpus, as a folder of plain arrays that appears whole or not at all."""

from __future__ import annotations

import json
import mmap
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, HashArray, IdArray, IndexArray
from everyword.corpus.contexts.lowest import HASH_SHIFT
from everyword.corpus.contexts.scan import Found
from everyword.errors import InputError

PARTIAL = ".partial-"
SHORTEST = 2
"""Bytes of a sentence: two quotes."""
TYPES = {"counts": np.int64, "keys": np.uint64, "numbers": np.int32, "ends": np.int64}
"""Of the arrays: mentions of each word; sorted keys; the sentence of each key; where each sentence ends in `text`."""
as_json = json.JSONEncoder(ensure_ascii=False).encode


class PartWriter:
    """Writes a part; it is there once `commit` has renamed its folder, and only then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Under a name of its own: after a lost connection two workers may write the same part.
        self._partial = Path(tempfile.mkdtemp(prefix=folder.name + PARTIAL, dir=folder.parent))
        self._files = {name: (self._partial / name).open("wb") for name in (*TYPES, "text")}
        self._sentences = self._end = 0

    @property
    def scratch(self) -> Path:
        """A file that goes with the unfinished part."""
        return self._partial / "scratch"

    def write(self, name: str, array: AnyArray) -> None:
        """Append to one of the arrays."""
        self._files[name].write(np.ascontiguousarray(array, dtype=TYPES[name]).data)

    def add_sentences(self, sentences: Iterable[bytes]) -> int:
        """Append sentences, as JSON strings; the number of the first is returned."""
        some = list(sentences)
        first = self._sentences
        ends = self._end + np.cumsum([len(sentence) for sentence in some], dtype=np.int64)
        self._files["text"].write(b"".join(some))
        self.write("ends", ends)
        self._sentences += len(some)
        self._end = int(ends[-1]) if some else self._end
        return first

    def commit(self) -> None:
        """Make the part appear."""
        for file in self._files.values():
            file.close()
        self.scratch.unlink(missing_ok=True)
        move_part(self._partial, self._folder)

    def discard(self) -> None:
        """Leave nothing behind."""
        for file in self._files.values():
            file.close()
        shutil.rmtree(self._partial, ignore_errors=True)


def move_part(folder: Path, target: Path) -> None:
    """Put a finished part in its place; one that is there already is the same, and stays."""
    try:
        folder.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        shutil.rmtree(folder)


def write_found(folder: Path, found: Found) -> None:
    """Write what a scan found as a part."""
    part = PartWriter(folder)
    try:
        part.write("counts", found.counts)
        part.write("keys", found.keys)
        part.write("numbers", found.numbers)
        part.add_sentences(as_json(sentence).encode() for sentence in found.sentences)
        part.commit()
    except BaseException:
        part.discard()
        raise


class Part:
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
            raise self._not_whole() from None
        # The lengths of the files tell a part that lost its end, whoever cut it.
        ends = self._ends[-1] if self.sentences else 0
        if size != ends or bool(size) != bool(self.sentences) or self._length("numbers") != len(self._keys):
            raise self._not_whole()

    def counts(self, rows: range) -> IndexArray:
        """How often each of some words was mentioned."""
        counts = self._read("counts", rows.start, rows.stop)
        if len(counts) != len(rows):
            raise self._not_whole()
        return counts

    def keys(self, rows: range) -> tuple[HashArray, IdArray]:
        """The keys of some words, and the number of each key's sentence."""
        edges = np.array([rows.start, rows.stop], dtype=np.uint64) << HASH_SHIFT
        first, last = np.searchsorted(self._keys, edges).tolist()
        numbers = self._read("numbers", first, last)
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < self.sentences:
            raise self._not_whole()
        return self._read("keys", first, last), numbers

    def texts(self, numbers: IndexArray) -> list[bytes]:
        """Sentences as JSON strings."""
        text = self._text
        if text is None or not len(numbers):
            return []
        starts, ends = np.where(numbers > 0, self._ends[numbers - 1], 0), self._ends[numbers]
        if (ends - starts < SHORTEST).any() or starts.min() < 0 or ends.max() > len(text):
            raise self._not_whole()
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def forget(self) -> None:
        """Give back the memory in which sentences were read; they can be read again."""
        if self._text is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._text.madvise(mmap.MADV_DONTNEED)

    def _not_whole(self) -> InputError:
        return InputError(f"{self._folder} is no whole part; remove it and run again.")

    def _length(self, name: str) -> float:
        return (self._folder / name).stat().st_size / np.dtype(TYPES[name]).itemsize

    def _mapped(self, name: str) -> AnyArray:
        path, kind = self._folder / name, TYPES[name]
        return np.memmap(path, dtype=kind, mode="r") if path.stat().st_size else np.zeros(0, dtype=kind)

    def _read(self, name: str, first: int, last: int) -> AnyArray:
        kind = np.dtype(TYPES[name])
        return np.fromfile(self._folder / name, dtype=kind, count=last - first, offset=first * kind.itemsize)
