"""Sets of texts that are attacked, and the kind of names that each is full of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.probes.sentiment_trees import read_sentiment_trees
from everyword.evaluation.robustness.attack import Item, Metric, Text
from everyword.evaluation.robustness.names import NameKind
from everyword.files import read_lines

NEUTRAL = 2
DEV_SHARE = 0.1


@dataclass(frozen=True)
class AttackedFiles:
    """Where a set is in the data folder; without dev, a tenth of train chooses."""

    name: str
    kind: NameKind
    metric: Metric
    train: str
    test: str
    dev: str | None = None


ATTACKED_SETS = {
    one.name: one
    for one in (
        AttackedFiles(
            "sst2", "people", "accuracy", "trees/sst/train.txt.gz", "trees/sst/test.txt.gz", "trees/sst/dev.txt.gz"
        ),
        AttackedFiles(
            "agnews",
            "people",
            "accuracy",
            "classification/agnews/train8k.tsv.gz",
            "classification/agnews/test.tsv.gz",
        ),
        AttackedFiles("mrpc", "companies", "f1", "paraphrase/mrpc/train.tsv.gz", "paraphrase/mrpc/test.tsv.gz"),
    )
}
"""Sentiment of sentences about films, from trees, because the usual file of SST-2 has lost its capitals; news by topic;
pairs of sentences, paraphrases or not."""


@dataclass(frozen=True)
class AttackedSet:
    """Texts to train on, to choose by and to attack."""

    files: AttackedFiles
    train: Sequence[Item]
    dev: Sequence[Item]
    test: Sequence[Item]

    @property
    def texts(self) -> list[Text]:
        """All texts to train on and to choose by."""
        return [item.text for item in (*self.train, *self.dev)]


def read_attacked_set(name: str, folder: Path) -> AttackedSet:
    """Read a set from the data folder."""
    files = ATTACKED_SETS[name]
    labels: dict[str, int] = {}
    read = _trees if files.train.endswith(".txt.gz") else _rows
    train, test = read(folder / files.train, labels), read(folder / files.test, labels)
    if files.dev is not None:
        return AttackedSet(files, train, read(folder / files.dev, labels), test)
    order = np.random.default_rng(0).permutation(len(train))
    held = round(DEV_SHARE * len(train))
    return AttackedSet(files, [train[row] for row in order[held:]], [train[row] for row in order[:held]], test)


def _trees(path: Path, _: dict[str, int]) -> list[Item]:
    """Read trees as sentences; neutral ones are left out."""
    trees = read_sentiment_trees(path)
    return [Item((tree.text,), int(tree.labels[-1] > NEUTRAL)) for tree in trees if tree.labels[-1] != NEUTRAL]


def _rows(path: Path, labels: dict[str, int]) -> list[Item]:
    """Read a label and a text, a title and a text, or two sentences, between tabs."""
    header, *lines = read_lines(path, "file of labelled texts")
    columns = header.split("\t")
    if columns[0] != "label" or len(columns) < 2:
        raise InputError(f"{path}:1: the first line must read label, then text or two sentences. Got {header[:60]!r}.")
    pair = columns[1:] == ["sentence1", "sentence2"]
    if not labels and pair:
        labels.update({"0": 0, "1": 1})
    items = []
    for number, line in enumerate(lines, start=2):
        label, *cells = line.split("\t")
        if len(cells) + 1 != len(columns) or not label:
            raise InputError(f"{path}:{number}: needs {', '.join(columns)} between tabs. Got {line[:60]!r}.")
        items.append(Item(tuple(cells) if pair else (" ".join(cells),), labels.setdefault(label, len(labels))))
    return items
