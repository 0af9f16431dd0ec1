"""Training examples: a word, misspelt or replaced by a synonym, with the teacher's vector, drawn into batches."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

import numpy as np
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from everyword import registry
from everyword.arrays import IdArray, IndexArray
from everyword.config import NonNegative
from everyword.systems.spelling.related_words import NONE
from everyword.text.units import PAD, Units

SYNONYM, UNCHANGED = "synonym", "unchanged"

RANK_OFFSET = 1000
"""Added to the rank of a word before its power is taken, so that a few function words do not fill every batch."""


@dataclass(frozen=True)
class AugmentationConfig:
    """How often a word is shown unchanged, misspelt or as a synonym; the shares sum to 1 (section 4.4 of LOVE)."""

    shares: dict[str, NonNegative] = field(
        default_factory=lambda: {
            "swap": 0.07,
            "drop": 0.07,
            "insert": 0.07,
            "keyboard": 0.07,
            SYNONYM: 0.36,
            UNCHANGED: 0.36,
        }
    )

    def problems(self) -> Iterator[str]:
        """Yield a message for each unknown augmentation, and if the shares do not sum to 1."""
        allowed = {*registry.corruptions, SYNONYM, UNCHANGED}
        yield from (f"there is no augmentation {name!r}" for name in self.shares if name not in allowed)
        if abs(sum(self.shares.values()) - 1) > 1e-6:
            yield f"shares must sum to 1. Got {sum(self.shares.values()):g} instead"


class Examples:
    """The training words, most frequent first, with their synonyms and hard negatives, drawn into batches.

    A batch depends on nothing but the seed, the epoch and the step, so training can resume from any step.
    """

    def __init__(
        self,
        words: Sequence[str],
        units: Units,
        augmentation: AugmentationConfig,
        *,
        synonyms: IdArray,
        negatives: IdArray,
        negatives_per_word: int,
        seed: int,
        show_negatives: bool = True,
        frequency_power: float = 0.0,
    ) -> None:
        self.words = words
        self._units = units
        self._augmentations = list(augmentation.shares)
        self._shares = np.array(list(augmentation.shares.values())) / sum(augmentation.shares.values())
        self._corruptions = {
            kind: registry.corruptions.get(name)
            for kind, name in enumerate(self._augmentations)
            if name in registry.corruptions
        }
        self._synonyms, self._synonym_counts = synonyms, (synonyms != NONE).sum(axis=1)
        self._negatives, self._negative_counts = negatives, (negatives != NONE).sum(axis=1)
        self._negatives_per_word, self._show_negatives = negatives_per_word, show_negatives
        self._frequency_power = frequency_power
        self._seed = seed
        # Nearly three quarters of all rows are shown as some listed word: those are cut into units only once.
        self._clean = units.batch(words).sequences

    def anchors(self, epoch: int) -> IdArray:
        """Return the words of an epoch in order: each once or, by frequency, as many drawn with replacement."""
        rng, count = np.random.default_rng([self._seed, epoch]), len(self.words)
        if not self._frequency_power:
            return rng.permutation(count).astype(np.int32)
        shares = np.cumsum((np.arange(count) + RANK_OFFSET) ** -self._frequency_power)
        drawn: IdArray = np.searchsorted(shares, rng.random(count) * shares[-1], side="right").astype(np.int32)
        return drawn

    def batch(self, epoch: int, step: int, anchors: IdArray) -> tuple[IdArray, IdArray]:
        """Return the indices of a batch's words, each once, and the padded ids of what is shown for them.

        Where hard negatives are not shown, there are fewer rows of ids than words: the last words are only targets.
        """
        rng = np.random.default_rng([self._seed, epoch, step])
        negatives = self._draw_negatives(anchors, rng)
        if self._show_negatives:
            rows = np.unique(np.concatenate([anchors, negatives]))
            return rows, self._show(rows, rng)
        shown = np.unique(anchors)
        return np.concatenate([shown, np.setdiff1d(negatives, shown)]), self._show(shown, rng)

    def _draw_negatives(self, anchors: IdArray, rng: np.random.Generator) -> IdArray:
        counts = self._negative_counts[anchors]
        columns = (rng.random((len(anchors), self._negatives_per_word)) * counts[:, None]).astype(np.int64)
        drawn = np.take_along_axis(self._negatives[anchors], columns, axis=1)
        found: IdArray = drawn[drawn != NONE]
        return found

    def _show(self, rows: IdArray, rng: np.random.Generator) -> IdArray:
        kinds = rng.choice(len(self._augmentations), size=len(rows), p=self._shares)
        shown = self._clean.take(self._with_synonyms(rows, kinds, rng)).padded()
        misspell = Random(int(rng.integers(2**62)))
        changed = [index for index, kind in enumerate(kinds) if kind in self._corruptions]
        if changed:
            misspelt = [self._corruptions[kinds[index]](self.words[rows[index]], misspell) for index in changed]
            ids = self._units.batch(misspelt).sequences.padded()
            shown = np.pad(shown, ((0, 0), (0, max(0, ids.shape[1] - shown.shape[1]))), constant_values=PAD)
            shown[changed] = PAD
            shown[changed, : ids.shape[1]] = ids
        return shown[:, : (shown != PAD).any(axis=0).sum()]

    def _with_synonyms(self, rows: IdArray, kinds: IndexArray, rng: np.random.Generator) -> IdArray:
        if SYNONYM not in self._augmentations:
            return rows
        columns = (rng.random(len(rows)) * self._synonym_counts[rows]).astype(np.int64)
        replaced = (kinds == self._augmentations.index(SYNONYM)) & (self._synonym_counts[rows] > 0)
        return np.where(replaced, self._synonyms[rows, columns], rows)


BatchIndex = tuple[int, int]
"""Epoch and step."""


class BatchDataset(Dataset[Any]):
    """Maps epoch and step to a batch; it does not matter which process computes it."""

    def __init__(self, examples: Examples, anchors_per_batch: int) -> None:
        self._examples = examples
        self._anchors_per_batch = anchors_per_batch
        self._epoch = -1

    def __getitem__(self, index: BatchIndex) -> tuple[IdArray, IdArray]:
        epoch, step = index
        if epoch != self._epoch:  # batches come in order, so the words of one epoch are drawn once
            self._epoch, self._anchors = epoch, self._examples.anchors(epoch)
        first = step * self._anchors_per_batch
        return self._examples.batch(epoch, step, self._anchors[first : first + self._anchors_per_batch])


def batches(
    examples: Examples, anchors_per_batch: int, indices: Sequence[BatchIndex], workers: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the word indices and padded ids of batches in order, computed ahead by other processes if there are any."""
    loader = DataLoader(
        BatchDataset(examples, anchors_per_batch),
        batch_size=None,
        sampler=cast("Any", indices),
        num_workers=workers,
        worker_init_fn=_leave_interrupts_to_the_trainer,
    )
    return iter(loader)


def _leave_interrupts_to_the_trainer(_worker: int) -> None:
    # Ctrl-C reaches all processes of a terminal; the trainer ends its step and then has no more use for the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
