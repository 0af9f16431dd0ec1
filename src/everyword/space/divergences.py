"""Entropy of feature tuples, and how far one tuple is from another: pairs of rows, or each row with all others.

A tuple holds probabilities of independent features. All logarithms are natural. Divergences are lower for what is
closer and depend on the order of their two sides; the overlap is higher for what is closer.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from everyword.arrays import AnyArray
from everyword.space.moments import DoubleArray

Measure = Literal["cross-entropy", "kl", "bernoulli-kl", "overlap"]
Direction = Literal["from", "to", "both"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
SMALL = 1e-4
"""Below it, three terms of the series of ln(1 - p) are exact, and far quicker."""


def entropy(tuples: AnyArray) -> DoubleArray:
    """Return the entropy of each row: the sum of the entropies of its features.

    >>> round(float(entropy(np.full(200, 1 / 200))), 5)
    6.29581
    """
    return cross_entropy(tuples, tuples)


def cross_entropy(first: AnyArray, second: AnyArray) -> DoubleArray:
    """Return H(first, second) of each pair of rows, each feature a choice between two values."""
    own, other = _doubles(first), _doubles(second)
    total: DoubleArray = -(own * _log(other) + (1 - own) * _log_of_rest(other)).sum(axis=-1)
    return total


def kl(first: AnyArray, second: AnyArray) -> DoubleArray:
    """Return the one-sided divergence of each pair of rows, the sum of p ln(p / q)."""
    own, other = _doubles(first), _doubles(second)
    total: DoubleArray = (own * (_log(own) - _log(other))).sum(axis=-1)
    return total


def bernoulli_kl(first: AnyArray, second: AnyArray) -> DoubleArray:
    """Return the Kullback-Leibler divergence of each pair of rows, each feature a choice between two values."""
    return cross_entropy(first, second) - entropy(first)


def overlap(first: AnyArray, second: AnyArray) -> DoubleArray:
    """Return the size of the intersection over that of the union, for each pair of rows."""
    own, other = _doubles(first), _doubles(second)
    common = (own * other).sum(axis=-1)
    return _share(common, own.sum(axis=-1) + other.sum(axis=-1) - common)


PAIRWISE = {"cross-entropy": cross_entropy, "kl": kl, "bernoulli-kl": bernoulli_kl, "overlap": overlap}


def of_pairs(measure: Measure, direction: Direction, first: AnyArray, second: AnyArray) -> DoubleArray:
    """Return a measure of each pair of rows: from the first to the second, back, or the mean of both."""
    compare = PAIRWISE[measure]
    if direction == "both":
        return (compare(first, second) + compare(second, first)) / 2
    return compare(first, second) if direction == "from" else compare(second, first)


class Targets:
    """A block of rows that many tuples are compared with, in the precision of the rows; logarithms are taken once."""

    def __init__(self, rows: AnyArray) -> None:
        self.rows = rows
        self.logs, self.rests = _log(rows), _log_of_rest(rows)

    def compare(self, measure: Measure, direction: Direction, tuples: AnyArray) -> AnyArray:
        """Return a measure of each tuple (rows of the result) with each target (columns)."""
        own: AnyArray = np.asarray(tuples, dtype=self.rows.dtype)
        if measure == "overlap":
            common: AnyArray = own @ self.rows.T
            return _share(common, own.sum(axis=1)[:, None] + self.rows.sum(axis=1) - common)
        if direction == "both":
            both: AnyArray = (self._divergence(measure, "from", own) + self._divergence(measure, "to", own)) / 2
            return both
        return self._divergence(measure, direction, own)

    def _divergence(self, measure: Measure, direction: Direction, own: AnyArray) -> AnyArray:
        found: AnyArray
        forwards = direction == "from"
        if measure == "kl":
            if forwards:
                found = (own * _log(own)).sum(axis=1)[:, None] - own @ self.logs.T
            else:
                found = (self.rows * self.logs).sum(axis=1) - _log(own) @ self.rows.T
            return found
        if forwards:
            found = -(own @ self.logs.T) - (1 - own) @ self.rests.T
        else:
            found = -(_log(own) @ self.rows.T) - _log_of_rest(own) @ (1 - self.rows).T
        if measure == "bernoulli-kl":
            found = found - (entropy(own)[:, None] if forwards else entropy(self.rows))
        return found


def _doubles(tuples: AnyArray) -> DoubleArray:
    return np.asarray(tuples, dtype=np.float64)


def _log(tuples: AnyArray) -> AnyArray:
    logs: AnyArray = np.log(np.maximum(tuples, np.finfo(tuples.dtype).tiny))
    return logs


def _log_of_rest(tuples: AnyArray) -> AnyArray:
    logs: AnyArray
    if tuples.size and tuples.max() < SMALL:
        logs = -tuples * (1 + tuples / 2 + tuples * tuples / 3)
    else:
        logs = np.log1p(-np.minimum(tuples, 1 - np.finfo(tuples.dtype).epsneg))
    return logs


def _share(part: AnyArray, whole: AnyArray) -> AnyArray:
    share: AnyArray = np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
    return share
