"""Words with labels in sentences, and what can be known of the labels from the word alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.probes.control import control_labels


@dataclass(frozen=True)
class LabelledWords:
    """Sentences, a label for each of their words, and which sentences train, select and test."""

    name: str
    texts: Sequence[Sequence[str]]
    labels: Sequence[Sequence[str]]
    splits: Mapping[str, Sequence[int]]
    """The numbers of the sentences of train, dev and test."""

    def __post_init__(self) -> None:
        for text, labels in zip(self.texts, self.labels, strict=True):
            if len(text) != len(labels):
                raise InputError(f"Each word needs a label. Got {len(labels)} for {len(text)} words.")
        empty = next((split for split, some in self.splits.items() if not some), None)
        if empty is not None:
            raise InputError(f"{self.name} has no sentences to {empty}.")

    @cached_property
    def starts(self) -> IndexArray:
        """The number of the first word of each sentence, and behind the last."""
        return np.concatenate([[0], np.cumsum([len(text) for text in self.texts])]).astype(np.int64)

    def words(self, split: str) -> list[str]:
        """Return the words of a split, sentence after sentence."""
        return [word for text in self.splits[split] for word in self.texts[text]]

    def gold(self, split: str) -> list[str]:
        """Return the labels of these words."""
        return [label for text in self.splits[split] for label in self.labels[text]]

    def rows(self, split: str) -> IndexArray:
        """Return the numbers of these words among the words of all sentences."""
        return np.concatenate([np.arange(self.starts[text], self.starts[text + 1]) for text in self.splits[split]])

    def sentences(self, split: str) -> IndexArray:
        """Return the number of the sentence of each of these words."""
        some = np.asarray(self.splits[split], dtype=np.int64)
        return np.repeat(some, np.diff(self.starts)[some])

    def first_texts(self, most: Mapping[str, int]) -> LabelledWords:
        """Return a smaller set, with at most so many sentences in a split."""
        chosen = {split: some[: most.get(split)] for split, some in self.splits.items()}
        used = sorted({text for some in chosen.values() for text in some})
        number = {text: place for place, text in enumerate(used)}
        texts, labels = ([both[text] for text in used] for both in (self.texts, self.labels))
        splits = {split: [number[text] for text in some] for split, some in chosen.items()}
        return LabelledWords(self.name, texts, labels, splits)

    def with_control_labels(self, seed: int = 0) -> LabelledWords:
        """Return the same words with labels that say nothing: one for each distinct word, drawn by chance."""
        words, gold = ([one for some in both for one in some] for both in (self.texts, self.labels))
        drawn = control_labels(words, gold, seed)
        starts = self.starts.tolist()
        return replace(self, labels=[drawn[first:last] for first, last in pairwise(starts)])


def word_baseline(words: Sequence[str], labels: Sequence[str], asked: Sequence[str]) -> list[str]:
    """Return for each word that is asked the label it has most often, or for a new word the most frequent one of all.

    No guess that knows nothing but the word is right more often on the words that it learns from.

    >>> word_baseline(["a", "a", "b"], ["X", "Y", "Y"], ["a", "b", "c"])
    ['X', 'Y', 'Y']
    """
    by_word: dict[str, Counter[str]] = {}
    for word, label in zip(words, labels, strict=True):
        by_word.setdefault(word, Counter())[label] += 1
    usual = Counter(labels).most_common(1)[0][0]
    best = {word: counts.most_common(1)[0][0] for word, counts in by_word.items()}
    return [best.get(word, usual) for word in asked]


def label_f1(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, float]:
    """Return the F1 of each label of the gold side against all others, in percent.

    >>> label_f1(["N", "N", "V"], ["N", "V", "V"])
    {'N': 66.66666666666667, 'V': 66.66666666666667}
    """
    right = Counter(one for one, other in zip(gold, predicted, strict=True) if one == other)
    both = Counter(gold) + Counter(predicted)
    return {label: 200 * right[label] / both[label] for label in sorted(set(gold))}


def shares_right(gold: Sequence[str], predicted: Sequence[Sequence[str]]) -> FloatArray:
    """Return how often each item was right in several runs, from 0 to 1."""
    right = np.array([[one == other for one, other in zip(gold, run, strict=True)] for run in predicted])
    shares: FloatArray = right.mean(axis=0, dtype=np.float32)
    return shares


def words_before(vectors: FloatArray, starts: AnyArray, count: int) -> FloatArray:
    """Return the vectors of words, each followed by those of the words before it in its sentence; zeros at the begin.

    >>> words_before(np.array([[1.0], [2.0], [3.0]]), [0, 2, 3], 1).tolist()
    [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0]]
    """
    first = np.repeat(np.asarray(starts)[:-1], np.diff(starts))
    rows = np.arange(len(vectors))
    parts = [
        np.where((rows - back >= first)[:, None], vectors[np.maximum(rows - back, 0)], 0) for back in range(count + 1)
    ]
    joined: FloatArray = np.concatenate(parts, axis=1)
    return joined
