"""Sentences as numbers: the words of each and, where an encoder is to read them, its pieces; many in one small file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

import numpy as np

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError
from everyword.files import write_whole
from everyword.teachers.pieces import Stretch

Kind = TypeVar("Kind", bound="Arrays")


@dataclass(frozen=True)
class Sentence:
    """One sentence: the rows of its words and, for an encoder, its pieces and which of them are each word's."""

    rows: Sequence[int]
    pieces: Sequence[int] = ()
    stretches: Sequence[Stretch] = ()


class Arrays:
    """A dataclass of arrays that lies packed in a file, whole or not at all."""

    def save(self, path: Path) -> None:
        """Write all arrays."""
        written = io.BytesIO()
        np.savez_compressed(written, **{field.name: getattr(self, field.name) for field in fields(self)})  # type: ignore[arg-type]
        write_whole(path, written.getvalue())

    @classmethod
    def load(cls: type[Kind], path: Path) -> Kind:
        """Read what `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return cls(**{field.name: arrays[field.name] for field in fields(cls)})  # type: ignore[arg-type]
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            raise InputError(f"{path} is no part of a prepared corpus; prepare the corpus again.") from None


@dataclass(frozen=True)
class Part(Arrays):
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
            for start, stop in sentence.stretches:
                size = max(stop - start, 0)
                gaps.append(start - reached if size else 0)
                sizes.append(size)
                reached = stop if size else reached
        return cls(
            packed([row for sentence in sentences for row in sentence.rows]),
            packed([len(sentence.rows) for sentence in sentences]),
            packed([piece for sentence in sentences for piece in sentence.pieces]),
            packed([len(sentence.pieces) for sentence in sentences]),
            packed(gaps),
            packed(sizes),
        )

    @classmethod
    def joined(cls, parts: Sequence[Part]) -> Part:
        """The sentences of several parts in one."""
        return cls(*(packed(np.concatenate([getattr(part, name) for part in parts])) for name in ARRAYS))

    def some(self, start: int, stop: int) -> Part:
        """The sentences from one to before another."""
        words, pieces = (
            slice(*(int(sizes[:place].sum(dtype=np.int64)) for place in (start, stop)))
            for sizes in (self.words, self.lengths)
        )
        chosen = (words, slice(start, stop), pieces, slice(start, stop), words, words)
        return Part(*(packed(getattr(self, name)[kept]) for name, kept in zip(ARRAYS, chosen, strict=True)))

    def __len__(self) -> int:
        return len(self.words)

    def first_pieces(self) -> IndexArray:
        """Where in its sentence the first piece of each word lies."""
        reached = np.cumsum(self.gaps.astype(np.int64) + self.sizes)
        sentence_starts = np.cumsum(self.words, dtype=np.int64) - self.words
        before = np.concatenate([[0], reached])[sentence_starts]
        first: IndexArray = reached - self.sizes - np.repeat(before, self.words)
        return first


ARRAYS = tuple(field.name for field in fields(Part))


def packed(numbers: Sequence[int] | AnyArray) -> AnyArray:
    """Numbers in the smallest type that holds them all."""
    wide = np.asarray(numbers, dtype=np.int64)
    ends = (np.min_scalar_type(int(end)) for end in (wide.min(initial=0), wide.max(initial=0)))
    return wide.astype(np.result_type(*ends))
