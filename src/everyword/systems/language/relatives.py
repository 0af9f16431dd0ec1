"""Relatives by spelling: translated words that a word begins like, ends with or begins with.

The first are mostly other forms of the same word (Zeitungen, Zeitung); the others are the parts of a compound
(Leukämiepatient: Leukämie, Patient), which is what its last part is.

How alike in meaning such words are is learnt from pairs that both have translations. What tells forms of one word from
words that only look alike: how many letters they share, what else each of them has, how near they are in the corpus,
and how near, how alike in meaning and how frequent other pairs with the same endings are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.text.scripts import folded

SHORTEST = 4
"""Letters of a part of a compound, and of the common beginning of relatives, at least."""
REST = 3
"""Letters of a word beside the part that it begins or ends with, at least."""
MOST = 30
"""Relatives of a word that are looked at: the most frequent ones."""
PRIOR = 5.0
"""How many pairs with the same endings, each as alike as all pairs are, are added to those that there are."""
DAMPING = 10.0
"""How many words' worth of evidence it takes to believe in a difference."""
COSINES = 0.01, 0.95
"""Bounds of expected cosines."""
PAIRS_AT_ONCE = 1 << 16
STEPS = ((0, 6), (0, 4), (SHORTEST, 10))
"""Lengths of the rests of a word and of its relative, and of what they share, that are told apart."""


@dataclass(frozen=True)
class Pairs:
    """Words and translated words that are spelt alike, by their numbers among all words; those of a word together."""

    words: IndexArray
    relatives: IndexArray
    common: IndexArray
    """How many letters both have in common."""
    rests: Sequence[tuple[str, str]]
    """The other letters of the word, and those of its relative."""

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, found: Iterable[tuple[int, int, int, tuple[str, str]]]) -> Pairs:
        """Return the pairs of numbers, common letters and rests."""
        rows = list(found)
        words, relatives, common = (np.array([row[column] for row in rows], dtype=np.int64) for column in range(3))
        return cls(words, relatives, common, [row[3] for row in rows])


@dataclass(frozen=True)
class Weighted:
    """For each of some words, rows of a table and their weights, which sum to 1, and how good they are as a whole."""

    begins: IndexArray
    """Where the rows of each word begin; one more than there are words."""
    rows: IndexArray
    weights: FloatArray
    strength: FloatArray
    """From 0, for a word without rows, to 1."""

    @classmethod
    def of(cls, pairs: Pairs, expected: FloatArray, rows: IndexArray, count: int) -> Weighted:
        """Weigh relatives by the cosine that is expected of them; errors of different relatives count as independent.

        Args:
            pairs: Words and their relatives.
            expected: The expected cosine of each pair, between 0 and 1.
            rows: For each word, its row in the table of translated words.
            count: How many words there are.
        """
        counts = np.bincount(pairs.words, minlength=count)
        begins, some = np.concatenate([[0], np.cumsum(counts)]), np.flatnonzero(counts)
        weights, strength = expected / (1 - expected**2), np.zeros(count, dtype=np.float32)
        if len(some):
            weights = weights / np.repeat(np.add.reduceat(weights, begins[some]), counts[some])
            strength[some] = np.add.reduceat(weights * expected, begins[some])
        return cls(begins, rows[pairs.relatives], weights.astype(np.float32), strength)

    def means(self, table: FloatArray, words: IndexArray) -> FloatArray:
        """Return the weighted means of rows of a table, for some of the words."""
        means = np.zeros((len(words), table.shape[1]), dtype=np.float32)
        for number, word in enumerate(words.tolist()):
            part = slice(self.begins[word], self.begins[word + 1])
            if part.start < part.stop:
                means[number] = self.weights[part] @ table[self.rows[part]]
        return means


def endings(words: Sequence[str], translated: Mapping[str, int]) -> Pairs:
    """Find the longest translated word that each word ends with."""
    return _longest(words, translated, lambda word, size: (word[-size:], word[:-size]))


def beginnings(words: Sequence[str], translated: Mapping[str, int]) -> Pairs:
    """Find the longest translated word that each word begins with."""
    return _longest(words, translated, lambda word, size: (word[:size], word[size:]))


def _longest(
    words: Sequence[str], translated: Mapping[str, int], split: Callable[[str, int], tuple[str, str]]
) -> Pairs:
    found = []
    for number, word in enumerate(words):
        for size in range(len(word) - REST, SHORTEST - 1, -1):
            part, rest = split(word, size)
            if part in translated:
                found.append((number, translated[part], size, (rest, "")))
                break
    return Pairs.of(found)


def relatives(words: Sequence[str], translated: Mapping[str, int], shared: float) -> Pairs:
    """Find translated words that begin like each word.

    Args:
        words: The words; translated ones are among them.
        translated: The number of each translated word among all, most frequent first.
        shared: The share of a word's letters with which its relatives begin.
    """
    spelt, by_beginning = [folded(word) for word in words], dict[str, list[int]]()
    for number in translated.values():
        word = spelt[number]
        for end in range(SHORTEST, len(word) + 1):
            of = by_beginning.setdefault(word[:end], [])
            if len(of) <= MOST:
                of.append(number)
    found = []
    for number, word in enumerate(spelt):
        for other in by_beginning.get(word[: max(SHORTEST, ceil(shared * len(word)))], ()):
            if other != number:
                size = _common(word, spelt[other])
                found.append((number, other, size, (word[size:], spelt[other][size:])))
    return Pairs.of(found)


def _common(one: str, other: str) -> int:
    """Return how many letters two words have in common at their beginnings."""
    for size, (letter, letter_too) in enumerate(zip(one, other, strict=False)):
        if letter != letter_too:
            return size
    return min(len(one), len(other))


def expected_cosines(pairs: Pairs, words: Collection[str], vectors: FloatArray, translations: FloatArray) -> FloatArray:
    """Return the cosine that is expected of each pair's translations, by least squares on those that both have some.

    Args:
        pairs: The pairs; their second words have translations.
        words: All words.
        vectors: Unit vectors of all words by a corpus; zeros for those that it does not have.
        translations: Unit vectors of all words by their translations; zeros for those without any.
    """
    translated: BoolArray = np.asarray(translations.any(axis=1))
    known = translated[pairs.words]
    if not known.any():
        return np.full(len(pairs), COSINES[0], dtype=np.float32)
    cosines = _cosines(translations, pairs.words, pairs.relatives)
    seen = np.concatenate([features(pairs, words, vectors), _by_rests(pairs.rests, cosines, known)[:, None]], axis=1)
    # A word with many relatives counts as often as one with one.
    weights = 1 / np.bincount(pairs.words[known], minlength=len(translations))[pairs.words[known]]
    mean = float(np.average(cosines[known], weights=weights))
    inputs = seen[known].astype(np.float64)
    squares = inputs.T @ (inputs * weights[:, None]) + DAMPING * np.eye(inputs.shape[1])
    learnt = np.linalg.solve(squares, inputs.T @ (weights * (cosines[known] - mean)))
    expected: FloatArray = np.clip(mean + seen @ learnt, *COSINES).astype(np.float32)
    return expected


def features(pairs: Pairs, words: Collection[str], vectors: FloatArray) -> FloatArray:
    """Return what tells how alike the words of each pair are, a row for each."""
    near = _cosines(vectors, pairs.words, pairs.relatives)
    have: BoolArray = np.asarray(vectors.any(axis=1))
    both = have[pairs.words] & have[pairs.relatives]
    nearness, number = _by_rests(pairs.rests, near, both), np.log1p(_numbers(pairs.rests)[1])
    rests = [np.array([len(rest[side]) for rest in pairs.rests], dtype=np.int64) for side in (0, 1)]
    share = 2 * pairs.common / np.maximum(2 * pairs.common + rests[0] + rests[1], 1)
    vocabulary = set(words)
    compound = [len(rest) >= REST and _is_part(rest, vocabulary) for rest, _ in pairs.rests]
    columns = [np.ones(len(pairs)), share, share**2, near, both, nearness, nearness * both, number, np.array(compound)]
    for lengths, (first, end) in zip((*rests, pairs.common), STEPS, strict=True):
        columns += [lengths == length for length in range(first, end)]
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _cosines(vectors: FloatArray, first: IndexArray, second: IndexArray) -> FloatArray:
    found = np.zeros(len(first), dtype=np.float32)
    for begin in range(0, len(first), PAIRS_AT_ONCE):
        part = slice(begin, begin + PAIRS_AT_ONCE)
        found[part] = np.einsum("ij,ij->i", vectors[first[part]], vectors[second[part]])
    return found


def _numbers(rests: Sequence[tuple[str, str]]) -> tuple[IndexArray, IndexArray]:
    """Return a number for the endings of each pair, and how many pairs have the same."""
    numbers: dict[tuple[str, str], int] = {}
    of = np.array([numbers.setdefault(rest, len(numbers)) for rest in rests], dtype=np.int64)
    return of, np.bincount(of, minlength=1)[of]


def _by_rests(rests: Sequence[tuple[str, str]], cosines: FloatArray, known: BoolArray) -> FloatArray:
    """Return the mean cosine of the other pairs with the same endings, of those whose cosine is known."""
    of, own = _numbers(rests)[0], np.where(known, cosines, 0)
    usual = float(own.sum() / max(known.sum(), 1))
    total, count = np.bincount(of, weights=own, minlength=1), np.bincount(of, weights=known, minlength=1)
    mean: FloatArray = ((total[of] - own + PRIOR * usual) / (count[of] - known + PRIOR)).astype(np.float32)
    return mean


def _is_part(rest: str, vocabulary: Collection[str]) -> bool:
    """Return whether the rest of a compound is a word, perhaps with a letter that joins it to the other part.

    >>> _is_part("zeitungs", {"zeitung"}), _is_part("leser", {"leser"}), _is_part("xyz", {"leser"})
    (True, True, False)
    """
    return rest in vocabulary or rest[:-1] in vocabulary
