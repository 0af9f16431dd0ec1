"""Do states still know their words? The mutual information of words and clusters of their states.

States of frequent words are clustered; if a cluster says which word it was, states keep the identity of words, and if
it does not, they have become something else. Tutek and Šnajder (RepL4NLP 2020) cluster the input vectors too; as many
clusters as words are the words themselves, which we take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError

Choice = Literal["frequent", "sampled"]
STEPS, BATCH = 150, 1000
"""Of mini-batch k-means."""
ROWS_AT_ONCE = 4096
GROUPS, DEVIATIONS = 20, 1.96
"""Of the interval: states are left out a group at a time."""


@dataclass(frozen=True)
class WordInformation:
    """What clusters of states say about words, in nats."""

    information: float
    """Their mutual information, less that of shuffled words."""
    entropy: float
    """Of the words: what there is to know."""
    by_chance: float
    """The mutual information of shuffled words, which is subtracted."""
    states: int
    interval: tuple[float, float] = (0.0, 1.0)
    """95 % interval of the share, for these clusters, by a jackknife over groups of states."""

    @property
    def share(self) -> float:
        """How much of what there is to know above chance, between 0 and 1."""
        room = self.entropy - self.by_chance
        return min(max(self.information / room, 0.0), 1.0) if room > 0 else 0.0


def word_information(
    words: Sequence[str],
    states: FloatArray,
    *,
    choice: Choice = "frequent",
    most_words: int = 1000,
    clusters: int = 1000,
    most_states: int = 50_000,
    seed: int = 0,
) -> WordInformation:
    """Measure how much states know of the words that they stand for.

    Args:
        words: The word of each state.
        states: Vectors, (states, dim).
        choice: The most frequent words, or words drawn with chances by their frequency to the power of 3/4.
        most_words: How many words are chosen.
        clusters: How many clusters are made; no more than a quarter of the states.
        most_states: How many states of these words are drawn.
        seed: Of all draws.

    Raises:
        InputError: If there are fewer than two words, or not as many states.
    """
    counts = Counter(words)
    if len(words) != len(states) or len(counts) < 2:
        raise InputError(
            f"There must be a state per word, of two or more words. Got {len(counts)} words and {len(states)} states."
        )
    rng = np.random.default_rng(seed)
    chosen = {word: number for number, word in enumerate(_chosen(counts, choice, most_words, rng))}
    rows = np.array([row for row, word in enumerate(words) if word in chosen])
    if len(rows) > most_states:
        rows = np.sort(rng.choice(rows, most_states, replace=False))
    labels = np.array([chosen[words[row]] for row in rows])
    found = cluster(states[rows], max(2, min(clusters, len(rows) // 4)), seed)
    shuffled = rng.permutation(labels)
    whole = _information(labels, shuffled, found)
    return replace(whole, interval=_interval(whole.share, labels, shuffled, found, rng))


def _information(labels: IndexArray, shuffled: IndexArray, clusters: IndexArray) -> WordInformation:
    chance = mutual_information(shuffled, clusters)
    return WordInformation(mutual_information(labels, clusters) - chance, entropy(labels), chance, len(labels))


def _interval(
    share: float, labels: IndexArray, shuffled: IndexArray, clusters: IndexArray, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the interval of a share; a bootstrap would be biased, because states drawn twice look informative."""
    groups = rng.permutation(len(labels)) % min(GROUPS, len(labels))
    kept = [groups != group for group in range(int(groups.max()) + 1)]
    shares = np.array([_information(labels[rows], shuffled[rows], clusters[rows]).share for rows in kept])
    spread = float(np.sqrt((len(shares) - 1) * shares.var()))
    return max(share - DEVIATIONS * spread, 0.0), min(share + DEVIATIONS * spread, 1.0)


def _chosen(counts: Counter[str], choice: Choice, most: int, rng: np.random.Generator) -> list[str]:
    ordered = [word for word, _ in counts.most_common()]
    if choice == "frequent" or len(ordered) <= most:
        return ordered[:most]
    chances = np.array([counts[word] ** 0.75 for word in ordered])
    picked = rng.choice(len(ordered), most, replace=False, p=chances / chances.sum())
    return [ordered[place] for place in picked]


def cluster(vectors: FloatArray, count: int, seed: int = 0) -> IndexArray:
    """Return the cluster of each vector by mini-batch k-means (Sculley, 2010)."""
    rng = np.random.default_rng(seed)
    centres = vectors[rng.choice(len(vectors), min(count, len(vectors)), replace=False)].astype(np.float32)
    seen = np.zeros(len(centres))
    for _ in range(STEPS):
        batch = vectors[rng.integers(len(vectors), size=min(BATCH, len(vectors)))]
        nearest = _nearest(batch, centres)
        added = np.bincount(nearest, minlength=len(centres))
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, batch)
        moved = added > 0
        seen += added
        centres[moved] += (sums[moved] - added[moved, None] * centres[moved]) / seen[moved, None].astype(np.float32)
    parts = [_nearest(vectors[start : start + ROWS_AT_ONCE], centres) for start in range(0, len(vectors), ROWS_AT_ONCE)]
    return np.concatenate(parts)


def _nearest(vectors: FloatArray, centres: FloatArray) -> IndexArray:
    products = vectors @ centres.T - np.square(centres).sum(axis=1) / 2
    nearest: IndexArray = products.argmax(axis=1)
    return nearest


def entropy(labels: IndexArray) -> float:
    """Return the entropy of labels in nats."""
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log(shares)).sum())


def mutual_information(first: IndexArray, second: IndexArray) -> float:
    """Return the mutual information of two labellings of the same things, in nats.

    >>> round(mutual_information(np.array([0, 0, 1, 1]), np.array([5, 5, 7, 7])), 4)
    0.6931
    """
    joint = np.asarray(first) * (int(np.max(second)) + 1) + second
    return max(entropy(first) + entropy(second) - entropy(joint), 0.0)
