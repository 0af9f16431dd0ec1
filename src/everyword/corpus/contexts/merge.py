"""Parts → one: an associative sum of counts and choice of the lowest hashes, a few words at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword.arrays import HashArray, IndexArray
from everyword.corpus.contexts.lowest import distinct, lowest
from everyword.corpus.contexts.parts import Part, PartWriter

KEYS_AT_ONCE = 1 << 19


class Merged(NamedTuple):
    """Some words, of all parts."""

    rows: range
    counts: IndexArray
    keys: HashArray
    places: IndexArray
    """Of the sentences, numbered through all parts."""


class Merge:
    """Reads parts as if they were one. Of equal sentences that of the first part stays."""

    def __init__(self, folders: Sequence[Path], most: int) -> None:
        self._parts = [Part(folder) for folder in folders]
        self._most = most
        self._begins = np.cumsum([0, *(part.sentences for part in self._parts)])
        self.sentences = int(self._begins[-1])

    def read(self, rows: range) -> Iterator[Merged]:
        """All words of a range, as many at a time as fit into little memory."""
        step = max(KEYS_AT_ONCE // (self._most * len(self._parts)), 1)
        for start in range(rows.start, rows.stop, step):
            yield self._merged(range(start, min(start + step, rows.stop)))

    def _merged(self, rows: range) -> Merged:
        read = [part.keys(rows) for part in self._parts]
        places = [numbers + begin for (_, numbers), begin in zip(read, self._begins, strict=False)]
        keys, chosen = lowest(np.concatenate([keys for keys, _ in read]), np.concatenate(places), self._most)
        counts = np.sum([part.counts(rows) for part in self._parts], axis=0)
        return Merged(rows, counts, keys, chosen)

    def texts(self, places: IndexArray) -> list[bytes]:
        """The sentences of places, as JSON strings."""
        owners = np.searchsorted(self._begins, places, side="right") - 1
        found: list[bytes] = [b""] * len(places)
        for owner, part in enumerate(self._parts):
            own = np.flatnonzero(owners == owner)
            for index, text in zip(own.tolist(), part.texts(places[own] - self._begins[owner]), strict=True):
                found[index] = text
            part.forget()
        return found


def fold(folders: Sequence[Path], target: Path, rows: int, most: int) -> None:
    """Make one part of several; a sentence of many words is written once."""
    merge, writer = Merge(folders, most), PartWriter(target)
    try:
        # On disk, because there may be more sentences than fit into memory; 0 for those that are not written yet.
        numbers = np.memmap(writer.scratch, dtype=np.int32, mode="w+", shape=(merge.sentences + 1,))
        for merged in merge.read(range(rows)):
            new = distinct(merged.places[numbers[merged.places] == 0])
            first = writer.add_sentences(merge.texts(new))
            numbers[new] = np.arange(first + 1, first + 1 + len(new))
            writer.write("counts", merged.counts)
            writer.write("keys", merged.keys)
            writer.write("numbers", numbers[merged.places] - 1)
        del numbers
        writer.commit()
    except BaseException:
        writer.discard()
        raise
