"""Sentences as numbers: the words of each and, where an encoder is to read them, its pieces; many in one small file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from everyword.arrays import AnyArray, IndexArray
from everyword.language_models.pieces import Span
from everyword.systems.skipgram.packed_arrays import PackedArrays, packed


@dataclass(frozen=True)
class Sentence:
    """One sentence: the rows of its words and, for an encoder, its pieces and which of them are each word's."""

    rows: Sequence[int]
    pieces: Sequence[int] = ()
    spans: Sequence[Span] = ()


@dataclass(frozen=True)
class Part(PackedArrays):
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
            for start, stop in sentence.spans:
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

    @property
    def is_whole(self) -> bool:
        """Whether the arrays speak of the same sentences."""
        if any(getattr(self, name).min(initial=0) < 0 for name in ARRAYS if name != "gaps"):
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


ARRAYS = tuple(field.name for field in fields(Part))
