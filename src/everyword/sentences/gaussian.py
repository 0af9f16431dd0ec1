"""Texts as diagonal Gaussians: every word scales and shifts a standard normal variable (Chen and Gimpel, 2020).

A text begins as z ~ N(0, I), and each word, in order, makes it z ← A * (z + B), element by element. What results is a
Gaussian again: its variance is the product of all A², whatever their order, and its mean depends on the order. Its
entropy says how general the text is. All of it is NumPy; `systems.operators` learns A and B from paraphrases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError

DoubleArray = NDArray[np.float64]
LEAST_SCALE = 1e-4
"""Scales nearer to zero count as this: a variance of zero would have no entropy."""
LARGEST_EXPONENT = 300.0
"""Keeps the mean of a text of a million words finite."""


@dataclass(frozen=True)
class Gaussians:
    """Gaussians with diagonal covariance, one per row."""

    means: DoubleArray
    log_deviations: DoubleArray
    """The logarithms of the standard deviations."""

    def __len__(self) -> int:
        return len(self.means)

    @property
    def variances(self) -> DoubleArray:
        """The squared standard deviations."""
        return np.exp(_limited(2 * self.log_deviations))

    def entropies(self) -> DoubleArray:
        """Return the differential entropy of each, in nats: the higher, the more general the text.

        >>> Gaussians(np.zeros((1, 2)), np.zeros((1, 2))).entropies().round(4).tolist()
        [2.8379]
        """
        dim = self.means.shape[1]
        entropies: DoubleArray = dim / 2 * np.log(2 * np.pi * np.e) + self.log_deviations.sum(axis=1)
        return entropies

    def expected_likelihoods(self, others: Gaussians) -> DoubleArray:
        """Return the log expected likelihood kernel of each and its partner: log N(0; μ₁ - μ₂, Σ₁ + Σ₂).

        Args:
            others: As many Gaussians of the same dimension.

        Raises:
            InputError: If their number or dimension differs.
        """
        if self.means.shape != others.means.shape:
            raise InputError(
                f"Gaussians are compared in pairs of one dimension. Got arrays of shape {self.means.shape} and "
                f"{others.means.shape}."
            )
        # Logarithms of sums of variances that may themselves be too small or too large for a float.
        log_variances = np.logaddexp(2 * self.log_deviations, 2 * others.log_deviations)
        squares = (self.means - others.means) ** 2 * np.exp(_limited(-log_variances))
        likelihoods: DoubleArray = -0.5 * (log_variances + squares + np.log(2 * np.pi)).sum(axis=1)
        return likelihoods

    def vectors(self) -> DoubleArray:
        """Return mean and variance side by side, whose cosine compares texts."""
        return np.concatenate([self.means, self.variances], axis=1)


def log_sizes(scales: AnyArray) -> DoubleArray:
    """Return log |A| of scales; those that are almost zero count as `LEAST_SCALE`."""
    return np.log(np.maximum(np.abs(scales.astype(np.float64)), LEAST_SCALE))


def compose(scales: AnyArray, shifts: AnyArray, lengths: Sequence[int] | IndexArray) -> Gaussians:
    """Apply the operators of the words of texts, one after the other.

    Args:
        scales: A of all words, one text after the other, (words, dim).
        shifts: B of all words.
        lengths: The number of words of each text; a text without words is N(0, I).

    Returns:
        A Gaussian per text: log σ is the sum of log |A|, and the mean the sum of B times A of its own and all later
        words.

    Raises:
        InputError: If the arrays do not fit each other.
    """
    lengths = np.asarray(lengths, dtype=np.int64)
    if scales.shape != shifts.shape or scales.ndim != 2 or lengths.sum() != len(scales):
        raise InputError(
            f"Scales and shifts need one row per word. Got shapes {scales.shape} and {shifts.shape} for "
            f"{int(lengths.sum())} words."
        )
    count, dim = len(lengths), scales.shape[1]
    sizes, signs = log_sizes(scales), np.where(scales < 0, -1.0, 1.0)
    means, deviations = np.zeros((count, dim)), np.zeros((count, dim))
    end = 0
    for text, length in enumerate(lengths.tolist()):
        begin, end = end, end + length
        if length:
            later = np.cumsum(sizes[begin:end][::-1], axis=0)[::-1]
            flips = np.cumprod(signs[begin:end][::-1], axis=0)[::-1]
            means[text] = (flips * np.exp(_limited(later)) * shifts[begin:end]).sum(axis=0)
            deviations[text] = later[0]
    return Gaussians(means, deviations)


def divergences(scales: AnyArray, shifts: AnyArray) -> DoubleArray:
    """Return KL(N(AB, A²) ‖ N(0, I)) of each word applied alone: 0 only for A² = 1 and B = 0.

    >>> divergences(np.ones((1, 3)), np.zeros((1, 3))).tolist()
    [0.0]
    """
    squares = np.exp(2 * log_sizes(scales))
    divergence: DoubleArray = 0.5 * (squares * (1 + shifts**2) - 1 - np.log(squares)).sum(axis=1)
    return divergence


def _limited(exponents: DoubleArray) -> DoubleArray:
    return np.clip(exponents, -LARGEST_EXPONENT, LARGEST_EXPONENT)
