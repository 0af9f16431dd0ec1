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
from everyword.systems.spelling.related_words import NONE
from everyword.text.units import PAD, Units

SYNONYM, UNCHANGED = "synonym", "unchanged"

RANK_OFFSET = 1000
"""Added to the rank of a word before its power is taken, so that a few function words do not fill every batch."""


@dataclass(frozen=True)
class AugmentationConfig:
    """How often a word is shown as what; the shares sum to one (section 4.4 of LOVE)."""

    shares: dict[str, float] = field(
        default_factory=lambda: {
            "swap": 0.07,
            "drop": 0.07,
            "insert": 0.07,
            "keyboard": 0.07,
            SYNONYM: 0.36,
            UNCHANGED: 0.36,
        }
    )

    def problems(self) -> list[str]:
        """Names that do not exist and shares that are no distribution."""
        allowed = {*registry.corruptions, SYNONYM, UNCHANGED}
        problems = [f"there is no augmentation {name!r}" for name in self.shares if name not in allowed]
        if any(share < 0 for share in self.shares.values()) or abs(sum(self.shares.values()) - 1) > 1e-6:
            problems.append(f"shares must be 0 or more and sum to 1. Got {sum(self.shares.values()):g} instead")
        return problems


class Examples:
    """The training words, most frequent first, with their synonyms and hard negatives, drawn into batches.

    A batch is a function of the seed, the epoch and its number alone, so training can go on from any step.
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
            place: registry.corruptions.get(name)
            for place, name in enumerate(self._augmentations)
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
        """The words of one epoch in their order: each once or, by frequency, drawn as many times with replacement."""
        rng, count = np.random.default_rng([self._seed, epoch]), len(self.words)
        if not self._frequency_power:
            return rng.permutation(count).astype(np.int32)
        shares = np.cumsum((np.arange(count) + RANK_OFFSET) ** -self._frequency_power)
        drawn: IdArray = np.searchsorted(shares, rng.random(count) * shares[-1], side="right").astype(np.int32)
        return drawn

    def batch(self, epoch: int, step: int, anchors: IdArray) -> tuple[IdArray, IdArray]:
        """Indices of the words of one batch, each once, and padded ids of what is shown for them.

        Where hard negatives are not shown, there are fewer rows of ids than words: the last words are targets only.
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
        places = (rng.random((len(anchors), self._negatives_per_word)) * counts[:, None]).astype(np.int64)
        drawn = np.take_along_axis(self._negatives[anchors], places, axis=1)
        found: IdArray = drawn[drawn != NONE]
        return found

    def _show(self, rows: IdArray, rng: np.random.Generator) -> IdArray:
        kinds = rng.choice(len(self._augmentations), size=len(rows), p=self._shares)
        shown = self._clean.take(self._with_synonyms(rows, kinds, rng)).padded()
        misspell = Random(int(rng.integers(2**62)))
        places = [place for place, kind in enumerate(kinds) if kind in self._corruptions]
        if places:
            misspelt = [self._corruptions[kinds[place]](self.words[rows[place]], misspell) for place in places]
            ids = self._units.batch(misspelt).sequences.padded()
            shown = np.pad(shown, ((0, 0), (0, max(0, ids.shape[1] - shown.shape[1]))), constant_values=PAD)
            shown[places] = PAD
            shown[places, : ids.shape[1]] = ids
        return shown[:, : (shown != PAD).any(axis=0).sum()]

    def _with_synonyms(self, rows: IdArray, kinds: IndexArray, rng: np.random.Generator) -> IdArray:
        if SYNONYM not in self._augmentations:
            return rows
        places = (rng.random(len(rows)) * self._synonym_counts[rows]).astype(np.int64)
        replaced = (kinds == self._augmentations.index(SYNONYM)) & (self._synonym_counts[rows] > 0)
        return np.where(replaced, self._synonyms[rows, places], rows)


Place = tuple[int, int]
"""Epoch and step."""


class BatchDataset(Dataset[Any]):
    """Epoch and step → batch. Since that is a function, it does not matter which process computes it."""

    def __init__(self, examples: Examples, anchors_per_batch: int) -> None:
        self._examples = examples
        self._anchors_per_batch = anchors_per_batch
        self._epoch = -1

    def __getitem__(self, place: Place) -> tuple[IdArray, IdArray]:
        epoch, step = place
        if epoch != self._epoch:  # batches come in order, so the words of one epoch are drawn once
            self._epoch, self._anchors = epoch, self._examples.anchors(epoch)
        first = step * self._anchors_per_batch
        return self._examples.batch(epoch, step, self._anchors[first : first + self._anchors_per_batch])


def batches(
    examples: Examples, anchors_per_batch: int, places: Sequence[Place], workers: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Word indices and padded ids of the batches at these places, in this order."""
    loader = DataLoader(
        BatchDataset(examples, anchors_per_batch),
        batch_size=None,
        sampler=cast("Any", places),
        num_workers=workers,
        worker_init_fn=_leave_interrupts_to_the_trainer,
    )
    return iter(loader)


def _leave_interrupts_to_the_trainer(_worker: int) -> None:
    # Ctrl-C reaches all processes of a terminal; the trainer ends its step and then has no more use for the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
