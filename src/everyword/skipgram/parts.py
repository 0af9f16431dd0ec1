"""Sentences as numbers: the words of each and, where an encoder is to read them, its pieces; many in one small file."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError
from everyword.files import write_whole
from everyword.teachers.pieces import Stretch

TIMES_LARGER, OR_AT_LEAST = 200, 1 << 26
"""What a part may unpack to: numbers of sentences shrink to a tenth, only bombs to a thousandth."""
DAMAGE = (OSError, ValueError, KeyError, EOFError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error)
"""What reading an archive that is none, or only claims to hold arrays, can end in."""


@dataclass(frozen=True)
class Sentence:
    """One sentence: the rows of its words and, for an encoder, its pieces and which of them are each word's."""

    rows: Sequence[int]
    pieces: Sequence[int] = ()
    stretches: Sequence[Stretch] = ()


@dataclass(frozen=True)
class Part:
    """Some thousand sentences, laid end to end."""

    rows: AnyArray
    """Of the vocabulary, word after word."""
    words: AnyArray
    """How many words each sentence has."""
    pieces: AnyArray
    """Ids of pieces, special ones too; none without an encoder."""
    lengths: AnyArray
    """How many pieces each sentence has."""
    gaps: AnyArray
    """Pieces between a word and the one before it, mostly none, so that a file packs well; -1 if they share one."""
    sizes: AnyArray
    """Pieces of each word; none of a word that the tokenizer loses."""

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Part:
        """Lay sentences end to end."""
        gaps, sizes = [], []
        for sentence in sentences:
            reached = 0
            for stretch in sentence.stretches:
                gaps.append(0 if stretch.empty else stretch.start - reached)
                sizes.append(0 if stretch.empty else stretch.stop - stretch.start)
                reached = reached if stretch.empty else stretch.stop
        return cls(
            _packed([row for sentence in sentences for row in sentence.rows]),
            _packed([len(sentence.rows) for sentence in sentences]),
            _packed([piece for sentence in sentences for piece in sentence.pieces]),
            _packed([len(sentence.pieces) for sentence in sentences]),
            _packed(gaps),
            _packed(sizes),
        )

    def __len__(self) -> int:
        return len(self.words)

    def first_pieces(self) -> IndexArray:
        """Where in its sentence the first piece of each word lies."""
        reached = np.cumsum(self.gaps.astype(np.int64) + self.sizes)
        sentence_starts = np.cumsum(self.words, dtype=np.int64) - self.words
        before = np.concatenate([[0], reached])[sentence_starts]
        first: IndexArray = reached - self.sizes - np.repeat(before, self.words)
        return first

    def save(self, path: Path) -> None:
        """Write the arrays, packed, whole or not at all."""
        written = io.BytesIO()
        np.savez_compressed(written, **{field.name: getattr(self, field.name) for field in fields(self)})
        write_whole(path, written.getvalue())

    @classmethod
    def load(cls, path: Path) -> Part:
        """Read what `save` wrote."""
        try:
            with zipfile.ZipFile(path) as packed:
                most = max(TIMES_LARGER * path.stat().st_size, OR_AT_LEAST)
                if sum(member.file_size for member in packed.infolist()) > most:
                    raise ValueError("it unpacks to more than a part can hold")
            with np.load(path, allow_pickle=False) as arrays:
                part = cls(**{field.name: arrays[field.name] for field in fields(cls)})
        except DAMAGE:
            raise InputError(f"{path} is no part of a prepared corpus; prepare the corpus again.") from None
        if not part.is_whole:
            raise InputError(f"{path} is a part whose numbers do not go together; prepare the corpus again.")
        return part

    @property
    def is_whole(self) -> bool:
        """Whether the arrays speak of the same sentences."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        if not all(array.ndim == 1 and array.dtype.kind in "iu" for array in arrays):
            return False
        if any(array.min(initial=0) < 0 for array in arrays if array is not self.gaps):
            return False
        if not (_lie_end_to_end(self.words, self.rows) and _lie_end_to_end(self.lengths, self.pieces)):
            return False
        if len(self.words) != len(self.lengths) or len(self.gaps) != len(self.sizes):
            return False
        if not len(self.pieces):
            return not len(self.sizes)
        if len(self.sizes) != len(self.rows) or np.abs(self.gaps.astype(np.float64)).max(initial=0) > len(self.pieces):
            return False
        first = self.first_pieces()
        return bool((first >= 0).all() and (first + self.sizes <= np.repeat(self.lengths, self.words)).all())


def _lie_end_to_end(sizes: AnyArray, items: AnyArray) -> bool:
    # None is larger than all together, so the sum cannot run over.
    return bool(sizes.max(initial=0) <= len(items)) and int(sizes.sum(dtype=np.int64)) == len(items)


def _packed(numbers: Sequence[int]) -> AnyArray:
    """Numbers in the smallest type that holds them all."""
    wide = np.array(numbers, dtype=np.int64)
    ends = (np.min_scalar_type(int(end)) for end in (wide.min(initial=0), wide.max(initial=0)))
    return wide.astype(np.result_type(*ends))
