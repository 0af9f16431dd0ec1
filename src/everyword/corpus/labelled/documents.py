"""Labelled documents as they are written: a tab-separated file with one label or several for each text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray, read_npz
from everyword.errors import InputError
from everyword.files import read_lines

LABEL, LABELS = "label", "labels"
TEXTS = ("title", "text")
BETWEEN_LABELS = "|"
MASK = "[MASK]"
"""What hides a word of a text: transformers know it, and classifiers over word vectors leave it out."""


@dataclass(frozen=True)
class SoftLabels:
    """How probable a teacher finds each label of each text."""

    labels: tuple[str, ...]
    probabilities: FloatArray
    """(texts, labels)."""

    def of(self, labels: Sequence[str]) -> FloatArray:
        """Return the probabilities of these labels, in this order."""
        if missing := set(labels) - set(self.labels):
            raise InputError(f"The teacher gives no probability of the label {min(missing)!r}.")
        return self.probabilities[:, [self.labels.index(label) for label in labels]]

    def chosen(self, several: bool = False) -> list[list[str]]:
        """Return the most probable label of each text or, if it may have several, all that are probable."""
        if not several:
            return [[self.labels[int(best)]] for best in self.probabilities.argmax(axis=1)]
        return [[self.labels[int(number)] for number in np.flatnonzero(row >= 0.5)] for row in self.probabilities]

    def save(self, path: Path) -> None:
        """Write an .npz file of the arrays `labels` and `probabilities`."""
        np.savez_compressed(path, labels=np.array(self.labels), probabilities=self.probabilities.astype(np.float32))

    @classmethod
    def load(cls, path: Path) -> SoftLabels:
        """Read what `save` wrote."""
        try:
            found = read_npz(path, ("labels", "probabilities"))
            labels, probabilities = found["labels"], found["probabilities"]
            if labels.ndim != 1 or labels.dtype.kind != "U" or probabilities.dtype.kind not in "fiu":
                raise ValueError("its arrays are of another kind")
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; check the path.") from None
        except (OSError, ValueError):
            raise InputError(
                f"{path} must be an .npz file with the arrays labels and probabilities; check the file."
            ) from None
        if probabilities.ndim != 2 or probabilities.shape[1] != len(labels):
            raise InputError(
                f"{path}: needs a column of probabilities for each of {len(labels)} labels. "
                f"Got an array of shape {probabilities.shape}."
            )
        if not ((probabilities >= 0) & (probabilities <= 1)).all():
            raise InputError(f"{path}: holds numbers that are no probabilities; they lie between 0 and 1.")
        return cls(tuple(str(label) for label in labels), probabilities.astype(np.float32))


@dataclass(frozen=True)
class Documents:
    """Texts and the labels of each."""

    name: str
    texts: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    several: bool = False
    """Whether a text may have several labels, or none."""
    teacher: SoftLabels | None = None
    """What a teacher says of the texts."""
    gold: BoolArray | None = None
    """Which texts have labels that are known, (texts,); by default all. Of the others only the teacher's count."""

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def known(self) -> list[str]:
        """All labels, sorted."""
        return sorted({label for labels in self.labels for label in labels})

    def take(self, rows: Sequence[int] | IndexArray, name: str | None = None) -> Documents:
        """Return some of the texts, in the order of the rows."""
        chosen = [int(row) for row in rows]
        teacher = self.teacher and SoftLabels(self.teacher.labels, self.teacher.probabilities[chosen])
        return replace(
            self,
            name=name or self.name,
            texts=tuple(self.texts[row] for row in chosen),
            labels=tuple(self.labels[row] for row in chosen),
            teacher=teacher,
            gold=None if self.gold is None else self.gold[chosen],
        )

    def cut_dev(self, share: float = 0.1, seed: int = 0) -> tuple[Documents, Documents]:
        """Split into texts to learn from and texts to choose by."""
        held = round(share * len(self))
        if not 0 < held < len(self):
            raise InputError(f"{self.name} holds {len(self)} texts, too few to cut {share:.0%} of them off as dev.")
        order = np.random.default_rng(seed).permutation(len(self))
        return self.take(np.sort(order[held:])), self.take(np.sort(order[:held]), f"{self.name}-dev")

    def score(self, predicted: Sequence[Sequence[str]]) -> float:
        """Return micro F1 of predicted labels, which is the share of correct ones if each text has one; in percent."""
        pairs = [(set(gold), set(found)) for gold, found in zip(self.labels, predicted, strict=True)]
        either = sum(len(gold) + len(found) for gold, found in pairs)
        return 200 * sum(len(gold & found) for gold, found in pairs) / either if either else 0.0

    def taught_by(self, teacher: SoftLabels) -> Documents:
        """Return the same texts with the probabilities of a teacher, a row for each."""
        if len(teacher.probabilities) != len(self):
            raise InputError(
                f"The teacher must have a row for each of the {len(self):,} texts of {self.name}. "
                f"Got {len(teacher.probabilities):,} rows."
            )
        return replace(self, teacher=teacher)


def labels_to_learn(train: Documents, dev: Documents) -> list[str]:
    """Return the labels of train in order; raise InputError if there is nothing to learn or to choose by."""
    for data in (train, dev):
        if not len(data):
            raise InputError(f"There are no texts in {data.name}; one or more are needed.")
    if len(set(train.labels)) < 2:
        only = BETWEEN_LABELS.join(train.labels[0]) or "none"
        raise InputError(f"{train.name} has only one label, {only!r}; two or more are needed.")
    return train.known


def read_documents(path: Path, label: str | None = None) -> Documents:
    """Read a tab-separated file whose first line names its columns.

    The column `label` has the one label of a text; `labels` has several with "|" between them, or none. The text is
    what stands in `title` and `text`; other columns are ignored. The file may be packed with gzip.

    Args:
        path: The file.
        label: Another column that has the one label of a text.
    """
    header, *lines = read_lines(path, "file of labelled texts")
    columns = header.split("\t")
    wanted = label or (LABELS if LABELS in columns and LABEL not in columns else LABEL)
    texts = [columns.index(name) for name in TEXTS if name in columns]
    if wanted not in columns or not texts:
        raise InputError(
            f"{path}:1: the first line must name the columns {wanted} and text, with a tab between them. "
            f"Got {header[:60]!r}."
        )
    several, place = wanted == LABELS, columns.index(wanted)
    found: list[tuple[str, tuple[str, ...]]] = []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise InputError(f"{path}:{number}: needs {len(columns)} columns between tabs. Got {line[:60]!r}.")
        given = cells[place].split(BETWEEN_LABELS) if several else [cells[place]]
        labels = tuple(dict.fromkeys(one.strip() for one in given if one.strip()))
        if not labels and not several:
            raise InputError(f"{path}:{number}: needs a label and a text between tabs. Got {line[:60]!r}.")
        found.append((". ".join(cells[column].strip() for column in texts if cells[column].strip()), labels))
    if not found:
        raise InputError(f"{path} holds no texts below its first line; one or more are needed.")
    return Documents(path.name.partition(".")[0], tuple(t for t, _ in found), tuple(la for _, la in found), several)
