"""Tuples of feature probabilities and the operations on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.space import divergences
from everyword.space.moments import DoubleArray


@dataclass(frozen=True, eq=False)
class FeatureTuple:
    """The probabilities with which something has each feature, a fuzzy set of features."""

    values: DoubleArray
    words: frozenset[str] = frozenset()
    """The words it is made of, which are not among its own neighbours."""

    def __and__(self, other: FeatureTuple) -> FeatureTuple:
        """Intersection: features that both have."""
        return self._with(other, self.values * other.values)

    def __or__(self, other: FeatureTuple) -> FeatureTuple:
        """Union: features that at least one has."""
        return self._with(other, self.values + other.values - self.values * other.values)

    def __sub__(self, other: FeatureTuple) -> FeatureTuple:
        """Difference: what the other does not have."""
        return self._with(other, self.values - np.minimum(self.values, other.values))

    def __invert__(self) -> FeatureTuple:
        """Complement: features that it does not have."""
        return FeatureTuple(1 - self.values, self.words)

    def bounded_sum(self, other: FeatureTuple) -> FeatureTuple:
        """Return the sum of the probabilities, at most 1: the union of what cannot be both."""
        return self._with(other, np.minimum(1.0, self.values + other.values))

    def _with(self, other: FeatureTuple, values: DoubleArray) -> FeatureTuple:
        return FeatureTuple(values, self.words | other.words)

    @property
    def cardinality(self) -> float:
        """The sum of the probabilities."""
        return float(self.values.sum())

    @property
    def entropy(self) -> float:
        """How undecided the features are, in nats."""
        return float(divergences.entropy(self.values))

    def within(self, other: FeatureTuple) -> bool:
        """Return whether the other has every feature at least as likely."""
        return bool((self.values <= other.values).all())

    def inclusion(self, other: FeatureTuple, *, by_feature: bool = False) -> float:
        """Return how much of this tuple is in the other: 1 if it is within it; the order matters.

        Args:
            other: Another tuple of the same space.
            by_feature: Count the features that are at least as likely in the other, instead of their probabilities.
        """
        if by_feature:
            return float((self.values <= other.values).mean())
        return float(np.minimum(self.values, other.values).sum() / self.cardinality) if self.cardinality else 1.0

    def cross_entropy(self, other: FeatureTuple) -> float:
        """Return H(self, other) in nats; lower is closer."""
        return float(divergences.cross_entropy(self.values, other.values))

    def kl(self, other: FeatureTuple) -> float:
        """Return the one-sided divergence, the sum of p ln(p / q); lower is closer."""
        return float(divergences.kl(self.values, other.values))

    def bernoulli_kl(self, other: FeatureTuple) -> float:
        """Return the divergence with both outcomes of each feature; 0 for equal tuples, else above."""
        return float(divergences.bernoulli_kl(self.values, other.values))

    def overlap(self, other: FeatureTuple) -> float:
        """Return the size of the intersection over that of the union; higher is closer."""
        return float(divergences.overlap(self.values, other.values))

    def scaled(self, cardinality: float = 1.0) -> FeatureTuple:
        """Return the tuple with another cardinality; no probability exceeds 1."""
        own = self.cardinality
        return FeatureTuple(np.minimum(1.0, self.values * (cardinality / own)), self.words) if own > 0 else self


def analogy_tuples(a: DoubleArray, b: DoubleArray, x: DoubleArray) -> DoubleArray:
    """Return b and x together without a, for arrays of tuples: their sum less what a covers of it, at most 1.

    >>> analogy_tuples(np.array([0.5]), np.array([0.25]), np.array([0.5])).tolist()
    [0.25]
    """
    total = b + x
    return np.clip(total - np.minimum(total, a), 0.0, 1.0)
