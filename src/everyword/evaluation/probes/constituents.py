"""How much of a tree is in the vector of a word: its part of speech, and the constituents one, two and three steps up.

Chang and Rafferty, "Encodings of Source Syntax: Similarities in NMT Representations Across Target Languages" (RepL4NLP
2020). A network with one hidden layer reads the label from frozen vectors, several times from other random starts,
beside the label that the word alone suggests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, pstdev

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.evaluation.compare import ItemResults
from everyword.evaluation.probes.labelled_words import LabelledWords, label_f1, shares_right, word_baseline
from everyword.evaluation.probes.span_data import SPLITS, by_document
from everyword.evaluation.probes.trees import Tree, read_trees
from everyword.extras import require

LEVELS = ("part-of-speech", "parent", "grandparent", "great-grandparent")
"""Steps up from the word."""
NO_LABEL = "NONE"
"""The label above the root."""
TENTHS = {"train": range(6), "dev": range(6, 8), "test": range(8, 10)}
"""Which tenths of the documents each split has."""

Classify = Callable[[LabelledWords, FloatArray], list[list[str]]]
"""Learns labels from vectors, and returns those of the test words, once per run."""


def ancestor(tree: Tree, level: int) -> list[str]:
    """Return the label of each word this many steps up; NONE above the root.

    >>> from everyword.evaluation.probes.trees import read_tree
    >>> tree = read_tree("(S (NP (DT the) (NN dog)) (VP (VBD ran)))")
    >>> [ancestor(tree, level)[1] for level in range(4)]
    ['NN', 'NP', 'S', 'NONE']
    """
    return [labels[level] if level < len(labels) else NO_LABEL for labels in tree.ancestors]


def ancestor_labels(trees: Sequence[tuple[str, Tree]], level: str, path: Path) -> LabelledWords:
    """Return the words of trees with the labels of a level; documents are split 6 : 2 : 2, in their order.

    Args:
        trees: What `read_trees` returned.
        level: One of `LEVELS`.
        path: The file of the trees, for messages.
    """
    if level not in LEVELS:
        raise InputError(f"The level must be {', '.join(LEVELS[:-1])} or {LEVELS[-1]}. Got {level!r} instead.")
    splits = by_document([document for document, _ in trees], path, TENTHS)
    return LabelledWords(
        level,
        [tree.tokens for _, tree in trees],
        [ancestor(tree, LEVELS.index(level)) for _, tree in trees],
        {split: [n for n, (document, _) in enumerate(trees) if splits[document] == split] for split in SPLITS},
    )


def read_ancestors(path: Path, level: str) -> LabelledWords:
    """Read tab-separated file and tree, and return the words with the labels of a level."""
    return ancestor_labels(read_trees(path), level, path)


@dataclass(frozen=True)
class WordScores:
    """How well labels of words are found, in percent of the test words."""

    accuracies: tuple[float, ...]
    """One per run."""
    baseline: float
    """Of the label that each word has most often in training."""
    majority: float
    """Of the most frequent label."""
    unseen: float | None
    """Of words that training lacks; None if there are none."""
    baseline_unseen: float | None
    n: int
    n_unseen: int
    by_label: dict[str, float]
    """F1 of each label against the others, mean over runs."""
    items: ItemResults = field(repr=False)
    """Each test word: how often it was right, its label, what the first run said, and its sentence."""

    @property
    def accuracy(self) -> float:
        """The mean over runs."""
        return fmean(self.accuracies)

    @property
    def spread(self) -> float:
        """The standard deviation over runs."""
        return pstdev(self.accuracies)


def score_words(data: LabelledWords, predicted: Sequence[Sequence[str]], name: str = "") -> WordScores:
    """Score the labels that one or several runs give the test words.

    Args:
        data: The words and their labels.
        predicted: For each run a label for each test word.
        name: What gave the labels, for comparisons.
    """
    gold, words = data.gold("test"), data.words("test")
    train_words, train_gold = data.words("train"), data.gold("train")
    known = set(train_words)
    unseen = np.array([word not in known for word in words])
    usual = word_baseline(train_words, train_gold, [*words, ""])
    alone, most = shares_right(gold, [usual[:-1]]), shares_right(gold, [[usual[-1]] * len(gold)])
    right = shares_right(gold, predicted)
    f1 = [label_f1(gold, run) for run in predicted]
    return WordScores(
        tuple(100 * float(shares_right(gold, [run]).mean()) for run in predicted),
        100 * float(alone.mean()),
        100 * float(most.mean()),
        100 * float(right[unseen].mean()) if unseen.any() else None,
        100 * float(alone[unseen].mean()) if unseen.any() else None,
        len(gold),
        int(unseen.sum()),
        {label: fmean(run[label] for run in f1) for label in f1[0]},
        ItemResults(
            name,
            right,
            words=tuple(words),
            gold=tuple(gold),
            predicted=tuple(predicted[0]),
            groups=tuple(data.sentences("test").tolist()),
        ),
    )


def score_word_baseline(data: LabelledWords) -> WordScores:
    """Score the label that each word has most often in training."""
    return score_words(data, [word_baseline(data.words("train"), data.gold("train"), data.words("test"))], "word alone")


def probe_words(
    data: LabelledWords, vectors: FloatArray, classify: Classify | None = None, name: str = ""
) -> WordScores:
    """Learn the labels of words from frozen vectors, and score those of test.

    Args:
        data: Sentences, labels and splits.
        vectors: A vector for each word of all sentences, in their order.
        classify: What learns; None for the network of the paper, with 20 restarts.
        name: What the vectors are of, for comparisons.

    Raises:
        InputError: If a word has no vector.
    """
    if len(vectors) != data.starts[-1]:
        raise InputError(f"Each word needs a vector. Got {len(vectors)} for {int(data.starts[-1])} words.")
    if classify is None:
        require("torch", "Training a probe")
        from everyword.evaluation.probes.mlp import MlpProbe

        classify = MlpProbe()
    return score_words(data, classify(data, vectors), name)
