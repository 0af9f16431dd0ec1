"""Where two representations differ: on which items, labels, words and sentences, and whether it can be chance.

Two systems with the same score may know the same or not. After Chang and Rafferty (RepL4NLP 2020), the label profile
asks whether the same labels are easy and hard for both, the sentence profile whether the same sentences are: each is a
correlation, of F1 over labels and of accuracy over sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray
from everyword.errors import InputError
from everyword.evaluation.paired import Interval, paired_bootstrap
from everyword.evaluation.probes.labelled_words import label_f1

LEAST_WORDS = 3
"""Shorter sentences have no accuracy worth the name."""
LEAST_LABELS = 10
"""A label that occurs less often has no F1 worth the name."""


@dataclass(frozen=True)
class ItemResults:
    """What a system made of each item of a data set."""

    name: str
    scores: AnyArray
    """From 0 to 1; their mean is the score of the system."""
    words: tuple[str, ...] | None = None
    """The word, or whatever names an item."""
    gold: tuple[str, ...] | None = None
    predicted: tuple[str, ...] | None = None
    """Labels, as they are and as the system has them."""
    groups: tuple[int, ...] | None = None
    """The sentence of each item."""

    def __post_init__(self) -> None:
        for what in ("words", "gold", "predicted", "groups"):
            given = getattr(self, what)
            if given is not None and len(given) != len(self.scores):
                raise InputError(f"{self.name} has {len(given)} {what} for {len(self.scores)} items.")
        if not len(self.scores):
            raise InputError(f"{self.name} has no items to compare.")

    def columns(self) -> dict[str, list[float | str]]:
        """Return what probes save of single items, a column each."""
        given = {"word": self.words, "gold": self.gold, "predicted": self.predicted, "group": self.groups}
        scores: list[float | str] = np.asarray(self.scores, dtype=np.float64).tolist()
        return {"score": scores, **{name: list(column) for name, column in given.items() if column is not None}}


class Pair(NamedTuple):
    """A label or a word, how often it occurs, and the scores of both systems in percent."""

    name: str
    n: int
    first: float
    second: float

    @property
    def difference(self) -> float:
        """The first minus the second."""
        return self.first - self.second


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same items; all scores in percent."""

    n: int
    first: float
    second: float
    difference: Interval
    """The first minus the second, with its interval by a paired bootstrap over sentences, or over items."""
    both: float
    only_first: float
    only_second: float
    neither: float
    """Shares of items that are right, more often than not."""
    label_r: float | None
    """Correlation of the F1 of labels; None without labels, or if there are fewer than three that are frequent."""
    labels: tuple[Pair, ...]
    """F1 of each label, those that differ most first."""
    sentence_r: float | None
    """Correlation of the accuracy of sentences; None without sentences, or if there are fewer than three."""
    sentences: int
    words: tuple[Pair, ...]
    """Scores of each word, those that make the most of the difference first."""


def compare_items(first: ItemResults, second: ItemResults, *, samples: int = 10_000, seed: int = 0) -> Comparison:
    """Compare two systems item by item.

    Args:
        first: The items of one system.
        second: The same items of another.
        samples: How many samples the bootstrap draws.
        seed: Of these samples.

    Returns:
        Scores, the difference with its interval, profiles, and the labels and words that differ most.

    Raises:
        InputError: If they are not the same items.
    """
    _check_same(first, second)
    one, other = (np.asarray(results.scores, dtype=np.float64) for results in (first, second))
    groups = None if first.groups is None else np.asarray(first.groups)
    mine, theirs = one > 0.5, other > 0.5
    labels = _labels(first, second)
    by_sentence = None if groups is None else sentence_profiles(one, other, groups)
    return Comparison(
        n=len(one),
        first=_percent(one),
        second=_percent(other),
        difference=paired_bootstrap(100 * one, 100 * other, groups, samples=samples, seed=seed),
        both=_percent(mine & theirs),
        only_first=_percent(mine & ~theirs),
        only_second=_percent(~mine & theirs),
        neither=_percent(~mine & ~theirs),
        label_r=label_correlation(first, second) if labels else None,
        labels=labels,
        sentence_r=None if by_sentence is None else correlation(*by_sentence),
        sentences=0 if by_sentence is None else len(by_sentence[0]),
        words=_words(first.words, one, other) if first.words is not None else (),
    )


def _percent(scores: AnyArray) -> float:
    return 100 * float(scores.mean())


def _check_same(first: ItemResults, second: ItemResults) -> None:
    if len(first.scores) != len(second.scores):
        raise InputError(
            f"Only the same items can be compared. {first.name} has {len(first.scores)}, "
            f"{second.name} {len(second.scores)}."
        )
    for what in ("words", "gold", "groups"):
        mine, theirs = getattr(first, what), getattr(second, what)
        if mine is not None and theirs is not None and mine != theirs:
            place = next(n for n, pair in enumerate(zip(mine, theirs, strict=True)) if pair[0] != pair[1])
            raise InputError(
                f"Only the same items can be compared. Item {place + 1} has {mine[place]!r} in {first.name} and "
                f"{theirs[place]!r} in {second.name}."
            )


def label_correlation(first: ItemResults, second: ItemResults, least: int = LEAST_LABELS) -> float | None:
    """Return the correlation of F1 over labels: 1 if the same labels are easy and hard for both.

    Args:
        first: The items of one system, with labels.
        second: The same items of another.
        least: Rarer labels are left out.

    Returns:
        Pearson's correlation; None if there are fewer than three labels.
    """
    frequent = [label for label in _labels(first, second) if label.n >= least]
    return correlation([label.first for label in frequent], [label.second for label in frequent])


def sentence_profiles(
    first: AnyArray, second: AnyArray, groups: AnyArray, least: int = LEAST_WORDS
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the mean scores of sentences that have at least so many words, for both systems."""
    _, members, counts = np.unique(groups, return_inverse=True, return_counts=True)
    long = counts >= least
    one, other = ((np.bincount(members, weights=scores) / counts)[long] for scores in (first, second))
    return one, other


def correlation(first: Sequence[float] | AnyArray, second: Sequence[float] | AnyArray) -> float | None:
    """Return Pearson's correlation; None for fewer than three pairs, or if one side is constant.

    >>> round(correlation([1, 2, 3], [1, 2, 4]), 4)
    0.982
    """
    one, other = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if len(one) < 3:
        return None
    one, other = one - one.mean(), other - other.mean()
    spread = np.sqrt((one @ one) * (other @ other))
    return float(np.clip(one @ other / spread, -1, 1)) if spread > 0 else None


def _labels(first: ItemResults, second: ItemResults) -> tuple[Pair, ...]:
    gold, mine, theirs = first.gold, first.predicted, second.predicted
    if gold is None or mine is None or theirs is None:
        return ()
    one, other, counts = label_f1(gold, mine), label_f1(gold, theirs), Counter(gold)
    found = [Pair(label, counts[label], one[label], other[label]) for label in one]
    return tuple(sorted(found, key=lambda pair: (-abs(pair.difference), pair.name)))


def _words(words: Sequence[str], first: AnyArray, second: AnyArray) -> tuple[Pair, ...]:
    """Return the words whose items differ, those first whose differences have the largest sum."""
    names, members, counts = np.unique(np.array(words, dtype=object), return_inverse=True, return_counts=True)
    one, other = (100 * np.bincount(members, weights=scores) / counts for scores in (first, second))
    order = np.lexsort((np.arange(len(names)), -np.abs(one - other) * counts))
    return tuple(
        Pair(str(names[row]), int(counts[row]), float(one[row]), float(other[row]))
        for row in order
        if one[row] != other[row]
    )
