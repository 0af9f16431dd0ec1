"""The parts of a blended vector before it is scaled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.arrays import BoolArray, FloatArray
from everyword.models.retrieval.candidates import Candidates


@dataclass(frozen=True)
class Weights:
    """Shares that sum to one for each word."""

    candidates: FloatArray
    """One for each pair."""
    form: FloatArray
    """One for each word: the share of the vector that comes from its own spelling."""


@dataclass(frozen=True)
class Mixture:
    """Words as weighted means of unit vectors."""

    candidates: Candidates
    weights: Weights
    form: FloatArray
    """Unit vectors from spelling alone; zeros for a word of which nothing is known."""
    blended: FloatArray
    """The weighted mean: the more its parts agree, the longer it is."""

    @property
    def usable(self) -> BoolArray:
        """Whether anything is known of each word."""
        return np.asarray(self.form.any(axis=1))
