"""Labelled texts for probes, and which of them are trained on, chosen by and scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.files import read_lines
from everyword.sentences.tokens import tokens_of

SEED = 0
"""Of what is drawn to cut sets; part of the probe, not of a run."""
DEV_SHARE = 0.1
FOLDS = 5
LABEL = "label"


@dataclass(frozen=True)
class TextFiles:
    """Where a set is in the data folder. A set without test is scored fold by fold; dev may be cut from train."""

    name: str
    train: str
    test: str | None = None
    dev: str | None = None


TEXT_SETS = (
    TextFiles("mr", "classification/mr.tsv.gz"),
    TextFiles("sst2", "classification/sst2/train.tsv", "classification/sst2/test.tsv", "classification/sst2/dev.tsv"),
    TextFiles("agnews", "classification/agnews/train8k.tsv.gz", "classification/agnews/test.tsv.gz"),
    TextFiles("banking77", "classification/banking77/train.tsv.gz", "classification/banking77/test.tsv.gz"),
    TextFiles("newsgroups20", "classification/newsgroups20/train.tsv.gz", "classification/newsgroups20/test.tsv.gz"),
)
"""Sentiment of sentences about films (two sets), news by topic, questions of a bank's customers by intent, and posts by
newsgroup."""


@dataclass(frozen=True)
class Split:
    """Rows of a set to train on, to choose by and to score."""

    train: IndexArray
    dev: IndexArray
    test: IndexArray


@dataclass(frozen=True)
class LabelledTexts:
    """Texts as tokens, the number of each text's label, and splits whose test parts do not overlap."""

    name: str
    tokens: Sequence[Sequence[str]]
    labels: IndexArray
    splits: tuple[Split, ...]
    names: tuple[str, ...] = ()
    """The labels by number."""

    @property
    def scored(self) -> int:
        """How many texts are scored."""
        return sum(len(split.test) for split in self.splits)


def read_text_set(files: TextFiles, folder: Path) -> LabelledTexts:
    """Read a set from the data folder."""
    parts = [_read(folder / path) if path else ([], []) for path in (files.train, files.dev, files.test)]
    tokens = [text for texts, _ in parts for text in texts]
    named = [label for _, labels in parts for label in labels]
    known = sorted(set(parts[0][1]))
    if unknown := set(named) - set(known):
        raise InputError(f"The set {files.name!r} has the label {min(unknown)!r}, which its train part never has.")
    if len(known) < 2:
        raise InputError(f"The set {files.name!r} has only one label; two or more are needed.")
    number = {label: index for index, label in enumerate(known)}
    labels = np.array([number[label] for label in named])
    splits = _splits(files, [len(texts) for texts, _ in parts])
    return LabelledTexts(files.name, tokens, labels, splits, tuple(known))


def _splits(files: TextFiles, sizes: Sequence[int]) -> tuple[Split, ...]:
    train, dev, test = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    rng = np.random.default_rng(SEED)
    if files.test is None:
        shuffled = np.array_split(rng.permutation(train), FOLDS)
        rests = [np.concatenate(shuffled[:one] + shuffled[one + 1 :]) for one in range(FOLDS)]
        return tuple(Split(*_cut(rest), test=fold) for rest, fold in zip(rests, shuffled, strict=True))
    return (Split(train, dev, test) if files.dev else Split(*_cut(rng.permutation(train)), test=test),)


def _cut(rows: IndexArray) -> tuple[IndexArray, IndexArray]:
    held = round(DEV_SHARE * len(rows))
    return rows[held:], rows[:held]


def _read(path: Path) -> tuple[list[list[str]], list[str]]:
    """Read a header and rows of a label and one or more texts, which are joined, between tabs."""
    header, *lines = read_lines(path, "file of labelled texts")
    columns = header.split("\t")
    if columns[0] != LABEL or len(columns) < 2:
        raise InputError(f"{path}:1: the first line must read label<TAB>text. Got {header[:60]!r}.")
    texts, labels = [], []
    for number, line in enumerate(lines, start=2):
        label, *cells = line.split("\t")
        if len(cells) + 1 != len(columns) or not label:
            raise InputError(f"{path}:{number}: needs a label and a text between tabs. Got {line[:60]!r}.")
        texts.append(tokens_of(" ".join(cells)))
        labels.append(label)
    return texts, labels
