"""What a gate decides."""

from __future__ import annotations

from dataclasses import dataclass

from everyword.arrays import FloatArray


@dataclass(frozen=True)
class Weights:
    """Shares that sum to one for each word."""

    candidates: FloatArray
    """One for each pair."""
    form: FloatArray
    """One for each word: the share of the vector that comes from its own spelling."""
