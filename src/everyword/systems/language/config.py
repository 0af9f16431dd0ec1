"""The configuration of a language: its words, and how their vectors are put together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from everyword.config import Count, Fraction, Natural, NonNegative, Positive


@dataclass(frozen=True)
class LanguageConfig:
    """Which words get vectors, and from what."""

    words: Count = 200_000
    """How many words at most, most frequent first."""
    phrases: Natural = 20_000
    """How many terms of several words of the dictionary at most."""
    least_count: Count = 5
    """Occurrences in the corpus of a word that neither the dictionary nor the list of frequencies has."""
    spread: NonNegative = 0.25
    """An English word that translates n words of the language counts n^-spread: it says less of each."""
    rarity: NonNegative = 0.0
    """An English word of rank r counts (r + 1000)^-rarity: of several translations the usual one is meant."""
    alignment: Literal["ridge", "orthogonal"] = "ridge"
    """How the vectors of the corpus are mapped to the English space, as "everyword align" does."""
    trust: Positive = 10.0
    """After how many occurrences a vector of the corpus counts half as much as after many."""
    shared: Fraction = 0.6
    """The share of its letters that a word has in common with the beginning of a relative."""
    own: NonNegative = 0.25
    """How much of what other words leave unknown of a word is filled with its own vector of the corpus,"""
    own_unseen: NonNegative = 0.5
    """or, where the corpus lacks it, with a direction that says nothing."""
    vectors: dict[str, Any] = field(default_factory=dict)
    """How the vectors of the corpus are trained: settings of "everyword train static skip-gram"."""
