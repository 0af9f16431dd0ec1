"""What a merger is: from the vectors of a word in several sources to one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray
from everyword.space.moments import Arrays, Learned, Moments


@dataclass(frozen=True)
class Parts:
    """The prepared vectors of some words, a matrix for each source; where a source lacks a word its row is zero."""

    rows: tuple[FloatArray, ...]
    present: NDArray[np.bool_]
    """Word by source."""

    def joined(self) -> FloatArray:
        """All numbers of a word side by side."""
        return np.concatenate(self.rows, axis=1)

    def weighted(self, weights: Sequence[float]) -> FloatArray:
        """The same, the numbers of each source times its weight."""
        dims = [rows.shape[1] for rows in self.rows]
        return self.joined() * np.repeat(np.asarray(weights, dtype=np.float32), dims)


@dataclass(frozen=True)
class Evidence:
    """What a merger may learn from. Moments cost a look at all words, so they are made when asked for."""

    dims: tuple[int, ...]
    weights: tuple[float, ...]
    shared: Callable[[], Moments]
    """Of the sources side by side, not weighted, over the words that all of them have."""
    everything: Callable[[], Moments]
    """Of the sources side by side, weighted, over all words of the merged table, missing rows filled."""


class Merger(ABC):
    """A frozen dataclass of options that says what it learns and how it combines."""

    NAME: ClassVar[str]

    @abstractmethod
    def learn(self, evidence: Evidence) -> Learned:
        """What the sources tell about each other."""

    @abstractmethod
    def combine(self, parts: Parts, weights: Sequence[float], arrays: Arrays) -> FloatArray:
        """One row for each word."""


def mean_of_present(parts: Parts, weights: Sequence[float]) -> FloatArray:
    """The weighted mean over the sources that have the word, of vectors of one dimension."""
    shares: FloatArray = np.where(parts.present, np.asarray(weights, dtype=np.float32), np.float32(0))
    shares /= shares.sum(axis=1, keepdims=True)
    mean = np.zeros_like(parts.rows[0])
    for share, rows in zip(shares.T, parts.rows, strict=True):
        mean += share[:, None] * rows
    return mean
