"""Relatives by spelling: translated words that a word begins like, ends with or begins with.

The first are mostly other forms of the same word (Zeitungen, Zeitung); the others are the parts of a compound
(Leukämiepatient: Leukämie, Patient), which is what its last part is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.systems.language.config import LanguageConfig
from everyword.text.scripts import folded

SHORTEST = 4
"""Letters of a part of a compound, and of the common beginning of relatives, at least."""
REST = 3
"""Letters of a word beside the part that it begins or ends with, at least."""
MOST = 30
"""Relatives of a word that are looked at: the most frequent ones."""
PAIRS_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Weighted:
    """For each of some words, rows of a table and their weights, which sum to 1, and how good they are as a whole."""

    begins: IndexArray
    """Where the rows of each word begin; one more than there are words."""
    rows: IndexArray
    weights: FloatArray
    strength: FloatArray
    """From 0, for a word without rows, to 1."""

    def means(self, table: FloatArray, words: IndexArray) -> FloatArray:
        """Return the weighted means of rows of a table, for some of the words."""
        means = np.zeros((len(words), table.shape[1]), dtype=np.float32)
        for number, word in enumerate(words.tolist()):
            part = slice(self.begins[word], self.begins[word + 1])
            if part.start < part.stop:
                means[number] = self.weights[part] @ table[self.rows[part]]
        return means


def single(rows: Sequence[int], strength: Sequence[float]) -> Weighted:
    """Return at most one row per word; -1 stands for none."""
    found = np.array(rows, dtype=np.int64)
    begins = np.concatenate([[0], np.cumsum(found >= 0)])
    kept = found[found >= 0]
    return Weighted(begins, kept, np.ones(len(kept), dtype=np.float32), np.array(strength, dtype=np.float32))


def endings(words: Sequence[str], translated: Mapping[str, int]) -> Weighted:
    """Find the longest translated word that each word ends with, and the share of its letters."""
    return _longest(words, translated, [[word[start:] for start in range(REST, len(word))] for word in words])


def beginnings(words: Sequence[str], translated: Mapping[str, int]) -> Weighted:
    """Find the longest translated word that each word begins with, and the share of its letters."""
    return _longest(words, translated, [[word[:end] for end in range(len(word) - REST, 0, -1)] for word in words])


def _longest(words: Sequence[str], translated: Mapping[str, int], parts: Sequence[Sequence[str]]) -> Weighted:
    rows, strength = [], []
    for word, of in zip(words, parts, strict=True):
        part = next((part for part in of if len(part) >= SHORTEST and part in translated), None)
        rows.append(-1 if part is None else translated[part])
        strength.append(0.0 if part is None else len(part) / len(word))
    return single(rows, strength)


def relatives(
    words: Sequence[str], translated: Mapping[str, int], vectors: FloatArray, config: LanguageConfig
) -> Weighted:
    """Find translated words that begin like each word, weighted by common letters and by nearness in the corpus.

    Args:
        words: The words; translated ones are among them.
        translated: The row of each translated word, most frequent first.
        vectors: The unit vectors of all words by a corpus; zeros for those that it does not have.
        config: How long the common beginning must be, and what counts how much.
    """
    spelt = [folded(word) for word in words]
    row_of = {number: translated[word] for number, word in enumerate(words) if word in translated}
    first, second = _pairs(spelt, row_of, config.shared)
    common = np.array([_common(spelt[one], spelt[other]) for one, other in zip(first, second, strict=True)])
    nearness = np.zeros(len(first), dtype=np.float32)
    for begin in range(0, len(first), PAIRS_AT_ONCE):
        part = slice(begin, begin + PAIRS_AT_ONCE)
        nearness[part] = np.einsum("ij,ij->i", vectors[first[part]], vectors[second[part]])
    counts = np.bincount(np.array(first, dtype=np.int64), minlength=len(words))
    begins = np.concatenate([[0], np.cumsum(counts)])
    weights = np.exp(config.likeness * common + config.nearness * nearness)
    strength, some = np.zeros(len(words), dtype=np.float32), np.flatnonzero(counts)
    if len(some):
        weights = weights / np.repeat(np.add.reduceat(weights, begins[some]), counts[some])
        strength[some] = np.add.reduceat(weights * common, begins[some])
    rows = np.array([row_of[other] for other in second], dtype=np.int64)
    return Weighted(begins, rows, weights.astype(np.float32), strength)


def _pairs(spelt: Sequence[str], translated: Collection[int], shared: float) -> tuple[list[int], list[int]]:
    """Return pairs of a word and a translated one that begins like it."""
    by_beginning: dict[str, list[int]] = {}
    for number in translated:
        word = spelt[number]
        for end in range(SHORTEST, len(word) + 1):
            of = by_beginning.setdefault(word[:end], [])
            if len(of) <= MOST:
                of.append(number)
    first, second = list[int](), list[int]()
    for number, word in enumerate(spelt):
        near = by_beginning.get(word[: max(SHORTEST, ceil(shared * len(word)))], ())
        kept = [other for other in near if other != number]
        first += [number] * len(kept)
        second += kept
    return first, second


def _common(one: str, other: str) -> float:
    """Return the share of letters that two words have in common at their beginnings."""
    shared = 0
    for letter, letter_too in zip(one, other, strict=False):
        if letter != letter_too:
            break
        shared += 1
    return 2 * shared / (len(one) + len(other))
