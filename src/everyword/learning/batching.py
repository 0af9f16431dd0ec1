"""Batches of items of similar length, and padding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import IndexArray
from everyword.learning.word_vectors import PADDING

POOL = 20
"""How many batches are drawn together and sorted by length: little is padded, and the order stays random."""


def shuffled(lengths: IndexArray, size: int, rng: np.random.Generator) -> list[IndexArray]:
    """Return the batches of an epoch of training, with every item once, as arrays of indices."""
    order = rng.permutation(len(lengths))
    batches: list[IndexArray] = []
    for first in range(0, len(order), POOL * size):
        pool = order[first : first + POOL * size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[start : start + size] for start in range(0, len(pool), size)]
    return [batches[index] for index in rng.permutation(len(batches))]


def by_length(lengths: IndexArray, size: int = 128) -> list[IndexArray]:
    """Return batches for scoring: every item once, sorted by length."""
    order = np.argsort(lengths, kind="stable")
    return [order[start : start + size] for start in range(0, len(order), size)]


def pad(rows: Sequence[IndexArray]) -> tuple[Tensor, Tensor]:
    """Return rows as one rectangular tensor, filled up with padding, and the length of each."""
    lengths = np.array([len(row) for row in rows])
    padded = np.full((len(rows), int(lengths.max())), PADDING, dtype=np.int64)
    for index, row in enumerate(rows):
        padded[index, : len(row)] = row
    return torch.from_numpy(padded), torch.from_numpy(lengths)
