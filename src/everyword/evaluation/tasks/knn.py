"""Nearest neighbours: is the class of a text that of the texts around it?

Nothing is trained: the mean of the word vectors of a text is compared with those of labelled texts. Each neighbour's
vote is divided by the size of its class, so that frequent classes have no head start (Coria, Ghannay, Rosset and
Bredin, RepL4NLP 2020). `vote` and `macro_f1` serve vectors of any kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.files import read_lines
from everyword.sentences.tokens import tokens_of
from everyword.vectors.neighbours import exact_neighbours, unit_rows

NEIGHBOURS = 10
NONE = "none"
"""The label of texts that belong to no class: it is one more class, and one average leaves it out."""
LABELS, TEXTS = ("category", "label"), ("title", "text")
"""Columns that hold the class, the first of them that is there, and the text, all of them that are there."""
TRAIN_FILES, TEST_FILE = ("train.tsv.gz", "train8k.tsv.gz"), "test.tsv.gz"


def vote(
    train: AnyArray, labels: IndexArray, test: AnyArray, *, k: int = NEIGHBOURS, balance: bool = True
) -> IndexArray:
    """Return the class of each test vector that most of its nearest neighbours by cosine have.

    Args:
        train: Vectors, one per row.
        labels: The class of each, a number from 0.
        test: Vectors to classify.
        k: How many neighbours vote.
        balance: Whether votes are divided by the size of the neighbour's class. Of equals the nearest one wins.

    >>> vote(np.array([[1, 0], [0.9, 0.1], [0, 1]]), np.array([0, 0, 1]), np.array([[0.2, 0.8]]), k=3).tolist()
    [1]
    """
    if len(train) != len(labels) or not len(train):
        raise InputError(f"A vote needs vectors and a class for each. Got {len(train)} and {len(labels)}.")
    found, _ = exact_neighbours(unit_rows(test), unit_rows(train), min(k, len(train)))
    return count_votes(labels, found, balance=balance)


def count_votes(labels: IndexArray, found: IndexArray, *, balance: bool = True) -> IndexArray:
    """Return the class with most votes of each row of neighbours, which are numbers of texts, the nearest first."""
    sizes = np.bincount(labels)
    near = labels[found]
    worth = 1 / sizes[near] if balance else np.ones(near.shape)
    votes = np.zeros((len(found), len(sizes)))
    for place in range(near.shape[1]):
        votes[np.arange(len(found)), near[:, place]] += worth[:, place]
    # Of the classes with the most votes, the one whose nearest text is nearest; sums are equal up to rounding.
    winning = np.take_along_axis(votes, near, axis=1) >= votes.max(axis=1, keepdims=True) * (1 - 1e-9)
    chosen: IndexArray = near[np.arange(len(found)), winning.argmax(axis=1)]
    return chosen


def macro_f1(gold: IndexArray, predicted: IndexArray, leave_out: int | None = None) -> float:
    """Return the mean F1, in percent, over the classes of gold; one that is never predicted counts 0.

    >>> round(macro_f1(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1])), 1)
    55.6
    """
    found = []
    for label in sorted(set(gold.tolist()) - {leave_out}):
        both = int(((gold == label) & (predicted == label)).sum())
        found.append(200 * both / int((gold == label).sum() + (predicted == label).sum()))
    return float(np.mean(found)) if found else 0.0


def balanced_knn_f1(
    train: AnyArray, train_labels: IndexArray, test: AnyArray, test_labels: IndexArray, k: int = NEIGHBOURS
) -> float:
    """Return the macro F1, in percent, of the balanced vote of the nearest neighbours."""
    return macro_f1(test_labels, vote(train, train_labels, test, k=k))


@dataclass(frozen=True)
class LabelledParts:
    """Texts to compare with and texts to classify, as tokens, and the number of each one's class."""

    name: str
    train: Sequence[Sequence[str]]
    train_labels: IndexArray
    test: Sequence[Sequence[str]]
    test_labels: IndexArray
    classes: tuple[str, ...]
    noisy: bool = False

    @classmethod
    def load(cls, folder: Path) -> LabelledParts:
        """Read train.tsv.gz (or train8k.tsv.gz) and test.tsv.gz: a column category or label, and text, between tabs."""
        train_file = next((folder / name for name in TRAIN_FILES if (folder / name).is_file()), folder / TRAIN_FILES[0])
        (train, named), (test, expected) = read_labelled(train_file), read_labelled(folder / TEST_FILE)
        classes = tuple(sorted(set(named)))
        if len(classes) < 2:
            raise InputError(f"{train_file} has only one class; two or more are needed.")
        if new := set(expected) - set(classes):
            raise InputError(f"{folder / TEST_FILE} has the class {min(new)!r}, which {train_file.name} never has.")
        number = {name: place for place, name in enumerate(classes)}
        labels, test_labels = (np.array([number[one] for one in part]) for part in (named, expected))
        return cls(folder.name, train, labels, test, test_labels, classes)


def read_labelled(path: Path) -> tuple[list[list[str]], list[str]]:
    """Read tab-separated rows below a header; return the tokens and the class of each text.

    Errors name the line and never quote it: some sets hold abusive texts.
    """
    header, *lines = read_lines(path, "set of labelled texts")
    columns = header.split("\t")
    label_at = next((columns.index(name) for name in LABELS if name in columns), None)
    text_at = [columns.index(name) for name in TEXTS if name in columns]
    if label_at is None or TEXTS[-1] not in columns:
        raise InputError(f"{path}:1: the first line must name a column category or label, and one text, between tabs.")
    texts, labels = [], []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(columns) or not cells[label_at].strip():
            raise InputError(f"{path}:{number}: needs {len(columns)} cells between tabs, and the class not empty.")
        texts.append(tokens_of(" ".join(cells[place] for place in text_at)))
        labels.append(cells[label_at])
    return texts, labels


def text_means(encode: Callable[[Sequence[str]], FloatArray], texts: Sequence[Sequence[str]]) -> FloatArray:
    """Return the mean of the word vectors of each text; zeros for one without words."""
    words = {word: row for row, word in enumerate(dict.fromkeys(word for text in texts for word in text))}
    vectors = encode(list(words))
    means = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
    for place, text in enumerate(texts):
        if text:
            means[place] = vectors[[words[word] for word in text]].mean(axis=0)
    return means


def run(model: EvaluatedModel, data: LabelledParts, seed: int) -> Scores:
    """Score the vote of neighbours, balanced and plain."""
    vectors = text_means(model.encode, [*data.train, *data.test])
    train, test = vectors[: len(data.train)], vectors[len(data.train) :]
    if not (data.noisy or test.any()):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    gold = data.test_labels
    none = data.classes.index(NONE) if NONE in data.classes else None
    values: dict[str, float | None] = {}
    for balance, end in ((True, ""), (False, "_plain")):
        predicted = vote(train, data.train_labels, test, balance=balance)
        values[f"f1{end}"] = macro_f1(gold, predicted)
        values[f"f1_without_none{end}"] = None if none is None else macro_f1(gold, predicted, none)
        values[f"accuracy{end}"] = 100 * float((predicted == gold).mean())
    known = sum(all(map(model.known, text)) for text in data.test)
    return Scores(values, len(gold), known)


def misspelt(data: LabelledParts, misspell: Misspell) -> LabelledParts:
    """Return the same test texts in other spellings."""
    return replace(data, test=[[misspell(word) for word in text] for text in data.test], noisy=True)


TASK = Task(
    name="knn",
    version=1,
    kind="labelled-texts",
    summary="Have the nearest texts the same class? Macro F1 of a vote in which all classes weigh the same.",
    main="f1",
    load=LabelledParts.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
