"""Whether one system is really better than another on the same items: paired permutation tests and bootstraps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError

AT_ONCE = 1024
NUMBERS_AT_ONCE = 1 << 21


def paired_permutation(first: AnyArray, second: AnyArray, *, permutations: int = 10_000, seed: int = 0) -> float:
    """Return the probability of a difference at least as large if the two systems were the same.

    Args:
        first: For each item of one system, a part and a whole, (items, 2); its score is the sum of parts by the sum of
            wholes. That is accuracy, with correct tokens and tokens, and F1, with twice the correct spans and the
            spans of both sides.
        second: The same of the other system, for the same items.
        permutations: How many times the systems change places on a random half of the items.
        seed: Of the random numbers.
    """
    one, other = (np.asarray(counts, dtype=np.float64) for counts in (first, second))
    if one.shape != other.shape or one.ndim != 2 or one.shape[1] != 2 or not len(one):
        raise InputError(f"Two systems need a part and a whole for the same items. Got {one.shape} and {other.shape}.")
    rng = np.random.default_rng(seed)
    sums, changes = (one.sum(axis=0), other.sum(axis=0)), other - one
    observed = abs(_score(sums[0]) - _score(sums[1])) - 1e-12
    reached = 0
    for start in range(0, permutations, AT_ONCE):
        swapped = rng.integers(2, size=(min(AT_ONCE, permutations - start), len(one))).astype(np.float64) @ changes
        reached += int((np.abs(_score(sums[0] + swapped) - _score(sums[1] - swapped)) >= observed).sum())
    return (reached + 1) / (permutations + 1)


def _score(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(sums[..., 0], sums[..., 1], out=np.zeros(sums.shape[:-1]), where=sums[..., 1] > 0)


def combined_probability(probabilities: Sequence[float]) -> float:
    """Return one probability for several independent tests, by Fisher's method.

    >>> round(combined_probability([0.05]), 6)
    0.05
    """
    if not probabilities or not all(0 < one <= 1 for one in probabilities):
        raise InputError(f"Probabilities to combine must be above 0 and at most 1. Got {list(probabilities)}.")
    # The upper tail of chi-squared with an even number of degrees of freedom, which is a finite sum.
    half = -sum(log(one) for one in probabilities)
    term = total = 1.0
    for place in range(1, len(probabilities)):
        term *= half / place
        total += term
    return min(1.0, exp(-half) * total)


class Interval(NamedTuple):
    """A difference, its 95 % interval, and how likely one as large is by chance, on both sides."""

    difference: float
    low: float
    high: float
    p: float


def paired_bootstrap(
    first: AnyArray, second: AnyArray, groups: AnyArray | None = None, *, samples: int = 10_000, seed: int = 0
) -> Interval:
    """Return the difference of two means over the same items, with its interval over random samples of them.

    Args:
        first: A score for each item of one system.
        second: The same of the other system.
        groups: The group of each item, such as its sentence; whole groups are then drawn, because words of one sentence
            are not independent of each other.
        samples: How many samples of items or groups are drawn, each as large as the whole.
        seed: Of the random numbers.

    Returns:
        The first minus the second.
    """
    one, other = (np.asarray(scores, dtype=np.float64) for scores in (first, second))
    if one.shape != other.shape or one.ndim != 1 or not len(one):
        raise InputError(f"Two systems need a score for each of the same items. Got {one.shape} and {other.shape}.")
    members = np.arange(len(one)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    counts, sums = np.bincount(members), np.bincount(members, weights=one - other)
    rng = np.random.default_rng(seed)
    drawn, step = [], max(1, NUMBERS_AT_ONCE // len(sums))
    for start in range(0, samples, step):
        rows = rng.integers(len(sums), size=(min(step, samples - start), len(sums)))
        drawn.append(sums[rows].sum(axis=1) / counts[rows].sum(axis=1))
    return _interval(float((one - other).mean()), np.concatenate(drawn))


def bootstrap_statistic(
    difference: Callable[[IndexArray], float], items: int, *, samples: int = 2_000, seed: int = 0
) -> Interval:
    """Return the difference of a statistic that is no mean, such as a rank correlation, with its interval.

    Args:
        difference: Returns the difference of two systems on some items, given by their numbers.
        items: How many items there are.
        samples: How many samples of items are drawn.
        seed: Of the random numbers.
    """
    rng = np.random.default_rng(seed)
    drawn = [difference(rng.integers(items, size=items)) for _ in range(samples)]
    return _interval(difference(np.arange(items)), np.array(drawn))


def _interval(difference: float, drawn: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(drawn, [0.025, 0.975]).tolist()
    # A sample without any difference counts on both sides.
    fewer = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return Interval(difference, low, high, min(1.0, 2 * (fewer + 1) / (len(drawn) + 1)))
