"""Batches of sentences of like length as tensors; which sentences, and in which order, a seed and a step decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import AnyArray, IndexArray
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus

SORTED_TOGETHER = 16
"""Batches whose sentences are sorted by length: more would save little padding and make batches less alike."""
NO_WORD = -1


@dataclass(frozen=True)
class Batch:
    """Some sentences, on the device where they are needed."""

    total: int
    """Sentences of the whole batch, of which these are the share of one process."""
    pieces: Tensor
    """(sentences, pieces), for the encoder."""
    mask: Tensor
    """Which pieces are no padding."""
    rows: Tensor
    """(sentences, words): rows of the vocabulary, `NO_WORD` behind the last one."""
    centres: Tensor
    """Places in `rows`, flat, of the words that the encoder reads."""
    places: Tensor
    """Places in `pieces`, flat, of all pieces of those words."""
    owners: Tensor
    """Which of the centres each of them belongs to."""
    sizes: Tensor
    """How many pieces each centre has."""


@dataclass(frozen=True)
class BatchSampler:
    """How a prepared corpus becomes batches."""

    prepared: PreparedCorpus
    batch: int
    seed: int
    padding: int = 0
    """The piece that fills up sentences."""

    @property
    def steps(self) -> int:
        """Batches in an epoch."""
        return sum(self._batches_of(size) for size in self.prepared.sizes)

    def _batches_of(self, sentences: int) -> int:
        return -(-sentences // self.batch)

    def epoch(
        self, number: int, first_step: int = 0, *, rank: int = 0, count: int = 1, send: Callable[[Tensor], Tensor]
    ) -> Iterator[Batch]:
        """The batches of an epoch from a step on; of each, the share of one of several processes.

        Parts come in a drawn order and are read one by one; those before the first step are not read at all.
        """
        order = np.random.default_rng([self.seed, number]).permutation(len(self.prepared.sizes)).tolist()
        for place in order:
            batches = self._batches_of(self.prepared.sizes[place])
            if first_step >= batches:
                first_step -= batches
                continue
            part = self.prepared.part(place)
            reader = PartReader(part, self.padding)
            drawn = self._drawn(part, np.random.default_rng([self.seed, number, place]))
            for chosen in drawn[first_step:]:
                yield reader.batch(chosen[rank::count], send, total=len(chosen))
            first_step = 0

    def _drawn(self, part: Part, rng: np.random.Generator) -> list[IndexArray]:
        """Sentences in batches of like length, in a drawn order."""
        shuffled = rng.permutation(len(part))
        pool, drawn = self.batch * SORTED_TOGETHER, []
        for start in range(0, len(shuffled), pool):
            some = shuffled[start : start + pool]
            by_length = some[np.argsort(part.lengths[some], kind="stable")]
            drawn += [by_length[first : first + self.batch] for first in range(0, len(by_length), self.batch)]
        return [drawn[place] for place in rng.permutation(len(drawn)).tolist()]


class PartReader:
    """Makes tensors of any sentences of a part, without a loop over sentences or words."""

    def __init__(self, part: Part, padding: int) -> None:
        self.part, self.padding = part, padding
        self._first_row = _starts(part.words)
        self._first_piece = _starts(part.lengths)
        self._first_of_word = part.first_pieces()

    def batch(self, sentences: IndexArray, send: Callable[[Tensor], Tensor], total: int) -> Batch:
        """These sentences in this order."""
        part = self.part
        pieces, piece_mask = _padded(part.pieces, self._first_piece, part.lengths, sentences, self.padding)
        rows, _ = _padded(part.rows, self._first_row, part.words, sentences, NO_WORD)
        sizes, _ = _padded(part.sizes, self._first_row, part.words, sentences, 0)
        first, _ = _padded(self._first_of_word, self._first_row, part.words, sentences, 0)
        centres = np.flatnonzero(sizes)
        in_text = first + np.arange(len(sentences))[:, None] * pieces.shape[1]
        of_centre = sizes.ravel()[centres]
        owners = np.repeat(np.arange(len(centres)), of_centre)
        within = np.arange(len(owners)) - np.repeat(_starts(of_centre), of_centre)
        places = in_text.ravel()[centres][owners] + within
        arrays = (pieces, piece_mask, rows, centres, places, owners, of_centre)
        return Batch(total, *(send(torch.from_numpy(array)) for array in arrays))


def _starts(sizes: AnyArray) -> IndexArray:
    return np.cumsum(sizes, dtype=np.int64) - sizes


def _padded(
    flat: AnyArray, starts: IndexArray, sizes: AnyArray, chosen: Sequence[int] | IndexArray, filler: int
) -> tuple[IndexArray, AnyArray]:
    """Some stretches of a flat array as the rows of a square one, and where they lie in it.

    >>> square, mask = _padded(np.array([5, 6, 7]), np.array([0, 1]), np.array([1, 2]), [1, 0], filler=-1)
    >>> square.tolist(), mask.tolist()
    ([[6, 7], [5, -1]], [[True, True], [True, False]])
    """
    of_chosen = sizes[chosen].astype(np.int64)
    inside = np.arange(int(of_chosen.max(initial=0)))
    mask = inside < of_chosen[:, None]
    square = np.full(mask.shape, filler, dtype=np.int64)
    square[mask] = flat[(starts[chosen][:, None] + inside)[mask]]
    return square, mask
