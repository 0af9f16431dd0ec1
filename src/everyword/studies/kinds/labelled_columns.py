"""Labelled texts of a study, from files with a line of column names: which are text, and what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import BoolArray, IndexArray
from everyword.config import Count
from everyword.errors import InputError
from everyword.evaluation.robustness.noise import Misspeller, Noise
from everyword.files import read_lines

SEED = 0
"""Of what is drawn to cut sets; part of a study, not of a run."""
HELD_OUT = 0.15
"""The share of texts that is cut from train as dev, and as test, where there is no file."""


@dataclass(frozen=True)
class ColumnSet:
    """A set in the data folder."""

    name: str
    train: str
    test: str | None = None
    dev: str | None = None
    """Without a file, dev and test are cut from train."""
    columns: tuple[str, ...] = ("text",)
    """The columns that are the text."""
    together: tuple[str, ...] = ()
    """Texts that are equal in these columns are one question: they are never cut apart."""
    most: Count | None = None
    """How many texts of train are drawn."""
    most_scored: Count | None = None
    """How many texts of dev and of test are drawn."""


@dataclass(frozen=True)
class ColumnTexts:
    """Texts as the cells of their columns, with labels and questions by number."""

    cells: tuple[tuple[str, ...], ...]
    labels: IndexArray
    questions: IndexArray

    def __len__(self) -> int:
        return len(self.cells)

    def joined(self, separator: str = " ") -> list[str]:
        """Return each text as one, its columns separated."""
        return [separator.join(cells) for cells in self.cells]

    def misspelt(self, noise: Noise, seed: int = SEED) -> ColumnTexts:
        """Return the same texts under noise."""
        misspell = Misspeller(noise, seed)
        noisy = tuple(tuple(" ".join(map(misspell, cell.split())) for cell in cells) for cells in self.cells)
        return ColumnTexts(noisy, self.labels, self.questions)

    def some(self, rows: IndexArray) -> ColumnTexts:
        """Return the texts of some rows."""
        return ColumnTexts(tuple(self.cells[row] for row in rows), self.labels[rows], self.questions[rows])


@dataclass(frozen=True)
class ColumnParts:
    """The parts of a set, and its labels by number."""

    train: ColumnTexts
    dev: ColumnTexts
    test: ColumnTexts
    names: tuple[str, ...]


def read_columns(files: ColumnSet, folder: Path) -> ColumnParts:
    """Read a set from the data folder."""
    read = {part: _read(folder / path, files) for part in ("train", "dev", "test") if (path := getattr(files, part))}
    names = sorted({label for label, _, _ in read["train"]})
    if len(names) < 2:
        raise InputError(f"The set {files.name!r} has only one label; two or more are needed.")
    if unknown := {label for rows in read.values() for label, _, _ in rows} - set(names):
        raise InputError(f"The set {files.name!r} has the label {min(unknown)!r}, which its train part never has.")
    parts = {part: _numbered(rows, names) for part, rows in read.items()}
    rng = np.random.default_rng(SEED)
    for part in ("test", "dev"):
        if part not in parts:
            parts["train"], parts[part] = _cut(parts["train"], rng)
    most = {"train": files.most, "dev": files.most_scored, "test": files.most_scored}
    train, dev, test = (_drawn(parts[part], most[part], rng) for part in ("train", "dev", "test"))
    return ColumnParts(train, dev, test, tuple(names))


def _read(path: Path, files: ColumnSet) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    header, *lines = read_lines(path, "file of labelled texts")
    known = header.split("\t")
    if missing := [name for name in ("label", *files.columns, *files.together) if name not in known]:
        raise InputError(f"{path}:1: there is no column {missing[0]!r}. The columns are {', '.join(known)}.")
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(known):
            raise InputError(f"{path}:{number}: needs {len(known)} columns between tabs. Got {len(cells)}.")
        by_name = dict(zip(known, cells, strict=True))
        text, question = ([by_name[name] for name in names] for names in (files.columns, files.together))
        rows.append((by_name["label"], tuple(text), tuple(question) or (str(number),)))
    return rows


def _numbered(rows: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]], names: Sequence[str]) -> ColumnTexts:
    label_of = {label: number for number, label in enumerate(names)}
    question_of = {question: number for number, question in enumerate(dict.fromkeys(row[2] for row in rows))}
    labels = np.array([label_of[label] for label, _, _ in rows], dtype=np.int64)
    questions = np.array([question_of[question] for _, _, question in rows], dtype=np.int64)
    return ColumnTexts(tuple(text for _, text, _ in rows), labels, questions)


def _cut(texts: ColumnTexts, rng: np.random.Generator) -> tuple[ColumnTexts, ColumnTexts]:
    """Return the texts without a share of the questions, and those of the share."""
    questions = rng.permutation(np.unique(texts.questions))
    held: BoolArray = np.isin(texts.questions, questions[: round(HELD_OUT * len(questions))])
    return texts.some(np.flatnonzero(~held)), texts.some(np.flatnonzero(held))


def _drawn(texts: ColumnTexts, most: int | None, rng: np.random.Generator) -> ColumnTexts:
    if most is None or most >= len(texts):
        return texts
    return texts.some(np.sort(rng.choice(len(texts), most, replace=False)))
