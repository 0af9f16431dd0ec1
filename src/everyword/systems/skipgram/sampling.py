"""Random choices of a training: batches of sentences, negative samples, and context words that are dropped."""

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
    """Sentences as tensors on a device."""

    total: int
    """Number of sentences in the whole batch; the tensors hold the share of one process."""
    pieces: Tensor
    """(sentences, pieces), for the encoder."""
    mask: Tensor
    """Which pieces are not padding."""
    rows: Tensor
    """(sentences, words): rows of the vocabulary, `NO_WORD` after the last one."""
    centres: Tensor
    """Flat indices into `rows` of the words that the encoder sees."""
    positions: Tensor
    """Flat indices into `pieces` of all pieces of the centres."""
    owners: Tensor
    """The index of the centre that each position belongs to."""
    sizes: Tensor
    """Number of pieces per centre."""


@dataclass(frozen=True)
class BatchSampler:
    """Samples the batches of a prepared corpus."""

    prepared: PreparedCorpus
    batch: int
    seed: int
    padding: int = 0
    """The id of the padding piece."""

    @property
    def steps(self) -> int:
        """Batches per epoch."""
        return sum(self._batches_of(size) for size in self.prepared.sizes)

    def _batches_of(self, sentences: int) -> int:
        return -(-sentences // self.batch)

    def epoch(
        self, number: int, first_step: int = 0, *, rank: int = 0, count: int = 1, send: Callable[[Tensor], Tensor]
    ) -> Iterator[Batch]:
        """Yield one process's share of the batches of an epoch, from a step on.

        Parts come in random order and are read one by one; those before the first step are not read at all.
        """
        order = np.random.default_rng([self.seed, number]).permutation(len(self.prepared.sizes)).tolist()
        for part_number in order:
            batches = self._batches_of(self.prepared.sizes[part_number])
            if first_step >= batches:
                first_step -= batches
                continue
            part = self.prepared.part(part_number)
            reader = PartReader(part, self.padding)
            sampled = self._sampled(part, np.random.default_rng([self.seed, number, part_number]))
            for chosen in sampled[first_step:]:
                yield reader.batch(chosen[rank::count], send, total=len(chosen))
            first_step = 0

    def _sampled(self, part: Part, rng: np.random.Generator) -> list[IndexArray]:
        """Return sentences in batches of similar length, in random order."""
        shuffled = rng.permutation(len(part))
        pool, found = self.batch * SORTED_TOGETHER, []
        for start in range(0, len(shuffled), pool):
            some = shuffled[start : start + pool]
            by_length = some[np.argsort(part.lengths[some], kind="stable")]
            found += [by_length[first : first + self.batch] for first in range(0, len(by_length), self.batch)]
        return [found[index] for index in rng.permutation(len(found)).tolist()]


class PartReader:
    """Makes tensors of any sentences of a part, without a loop over sentences or words."""

    def __init__(self, part: Part, padding: int) -> None:
        self.part, self.padding = part, padding
        self._first_row = _starts(part.words)
        self._first_piece = _starts(part.lengths)
        self._first_of_word = part.first_pieces()

    def batch(self, sentences: IndexArray, send: Callable[[Tensor], Tensor], total: int) -> Batch:
        """Return these sentences in this order."""
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
        positions = in_text.ravel()[centres][owners] + within
        arrays = (pieces, piece_mask, rows, centres, positions, owners, of_centre)
        return Batch(total, *(send(torch.from_numpy(array)) for array in arrays))


def _starts(sizes: AnyArray) -> IndexArray:
    return np.cumsum(sizes, dtype=np.int64) - sizes


def _padded(
    flat: AnyArray, starts: IndexArray, sizes: AnyArray, chosen: Sequence[int] | IndexArray, filler: int
) -> tuple[IndexArray, AnyArray]:
    """Return some segments of a flat array as rows of a padded matrix, and the mask of what is not padding.

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


@dataclass(frozen=True)
class StepRandom:
    """Random numbers of one step, drawn for the whole batch; a process takes those of its own sentences.

    So several processes draw the same numbers as one.
    """

    generator: torch.Generator
    sentences: int
    """In the whole batch."""
    longest: int
    """Maximum number of words per sentence."""
    rank: int = 0
    count: int = 1

    def numbers(self, words: int, each: int = 1) -> Tensor:
        """Return numbers between 0 and 1 (sentences, words, each) for the words of this process's sentences."""
        shape = (self.sentences, self.longest, each)
        drawn = torch.rand(shape, generator=self.generator, device=self.generator.device, dtype=torch.float64)
        return drawn[self.rank :: self.count, :words]

    def shared(self, count: int) -> Tensor:
        """Return numbers between 0 and 1 (count), the same in all processes."""
        return torch.rand(count, generator=self.generator, device=self.generator.device, dtype=torch.float64)


class WordSampler:
    """Samples words by their counts, on any device."""

    def __init__(self, counts: IndexArray, *, power: float, subsample: float, device: torch.device) -> None:
        numbers = torch.from_numpy(counts).double()
        weights = numbers**power
        self._cumulative = (weights.cumsum(0) / weights.sum()).to(device)
        self._kept = kept_share(numbers / numbers.sum(), subsample).to(device)
        self.drops = subsample > 0
        """Whether context words are dropped at all."""

    def words(self, numbers: Tensor) -> Tensor:
        """Return the row of a word for each number between 0 and 1."""
        return torch.searchsorted(self._cumulative, numbers.contiguous()).clamp(max=len(self._cumulative) - 1)

    def kept(self, rows: Tensor, random: StepRandom) -> Tensor:
        """Return which words subsampling keeps as context, drawn for each occurrence."""
        return random.numbers(rows.shape[1]).squeeze(2) < self._kept[rows.clamp(min=0)]


def kept_share(frequencies: Tensor, threshold: float) -> Tensor:
    """Return the share of the occurrences of a word that subsampling keeps: the root of threshold / frequency.

    >>> kept_share(torch.tensor([0.001, 0.1]), 0.001).tolist()
    [1.0, 0.10000000149011612]
    """
    return (threshold / frequencies).sqrt().clamp(max=1.0) if threshold else torch.ones_like(frequencies)
