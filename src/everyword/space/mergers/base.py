"""The interface of a merger: from the vectors of a word in several tables to one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray
from everyword.space.moments import Arrays, Fit, Moments


@dataclass(frozen=True)
class Parts:
    """Prepared vectors of some words, one matrix per table; the row of a missing word is zero."""

    rows: tuple[FloatArray, ...]
    present: NDArray[np.bool_]
    """Word by source."""

    def joined(self) -> FloatArray:
        """Concatenate the vectors of each word."""
        return np.concatenate(self.rows, axis=1)

    def weighted(self, weights: Sequence[float]) -> FloatArray:
        """Concatenate the vectors of each word, each times the weight of its table."""
        dims = [rows.shape[1] for rows in self.rows]
        return self.joined() * np.repeat(np.asarray(weights, dtype=np.float32), dims)


@dataclass(frozen=True)
class Evidence:
    """What a merger is fitted to. Moments cost a pass over all words, so they are computed on demand."""

    dims: tuple[int, ...]
    weights: tuple[float, ...]
    shared: Callable[[], Moments]
    """Of the unweighted concatenation, over the words that all tables have."""
    everything: Callable[[], Moments]
    """Of the weighted concatenation, over all words, with missing rows filled."""


class Merger(ABC):
    """A frozen dataclass of options with a fit and a rule of combination."""

    NAME: ClassVar[str]

    @abstractmethod
    def learn(self, evidence: Evidence) -> Fit:
        """Fit to the tables."""

    @abstractmethod
    def combine(self, parts: Parts, weights: Sequence[float], arrays: Arrays) -> FloatArray:
        """Return one row per word."""


def mean_of_present(parts: Parts, weights: Sequence[float]) -> FloatArray:
    """Return the weighted mean over the tables that have the word; all have one dimension."""
    shares: FloatArray = np.where(parts.present, np.asarray(weights, dtype=np.float32), np.float32(0))
    shares /= shares.sum(axis=1, keepdims=True)
    mean = np.zeros_like(parts.rows[0])
    for share, rows in zip(shares.T, parts.rows, strict=True):
        mean += share[:, None] * rows
    return mean
