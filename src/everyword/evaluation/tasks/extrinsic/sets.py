"""The public data sets of the extrinsic tasks: which files, which column, which splits. None is shipped."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import UnknownNameError, did_you_mean
from everyword.evaluation.tasks.extrinsic.splits import Splits, cut_dev, fold
from everyword.evaluation.tasks.extrinsic.tagged_data import Scheme, TaggedSentences, read_tagged
from everyword.evaluation.tasks.extrinsic.texts import Texts, read_texts

SPLIT_SEED = 0
"""The seed of splits that we cut ourselves; part of the task, not of a run."""


@dataclass(frozen=True)
class TextSet:
    """Texts with labels: a folder of train, dev and test, or one file, of which a fold of ten is the test set."""

    path: str
    labels: tuple[str, ...] = ("0", "1")


@dataclass(frozen=True)
class TagSet:
    """A folder of CoNLL files; without dev.conll.gz a tenth of train becomes dev."""

    path: str
    column: int
    scheme: Scheme


TEXT_SETS = {"sst2": TextSet("classification/sst2"), "mr": TextSet("classification/mr.tsv.gz")}
TAG_SETS = {
    "conll2003": TagSet("tagging/conll2003", 1, "bio"),
    "bc2gm": TagSet("tagging/bc2gm", 1, "bio"),
    "conll2000": TagSet("tagging/conll2000", 2, "bio"),
    "ud-ewt": TagSet("tagging/ud_ewt", 1, "plain"),
}


def load_texts(name: str, folder: Path, number: int = 0) -> Splits[Texts]:
    """The splits of a classification set in a data folder; `number` is the fold of a set that has no test set."""
    if name not in TEXT_SETS:
        raise UnknownNameError(f"There is no classification set {name!r}: {did_you_mean(name, TEXT_SETS)}")
    found = TEXT_SETS[name]
    return text_splits(folder / found.path, number, labels=found.labels)


def text_splits(path: Path, number: int = 0, *, labels: Collection[str] | None = None) -> Splits[Texts]:
    """Train, dev and test of a folder; of a single file, ten folds, of which one is the test set."""
    if path.is_file():
        return fold(read_texts(path, labels), number, seed=SPLIT_SEED)
    train, dev, test = (read_texts(path / f"{split}.tsv", labels) for split in ("train", "dev", "test"))
    return Splits(train, dev, test, home=path)


def load_tagged(name: str, folder: Path) -> Splits[TaggedSentences]:
    """The splits of a tagging set in a data folder."""
    if name not in TAG_SETS:
        raise UnknownNameError(f"There is no tagging set {name!r}: {did_you_mean(name, TAG_SETS)}")
    found = TAG_SETS[name]
    return tag_splits(folder / found.path, column=found.column, scheme=found.scheme)


def tag_splits(path: Path, *, column: int = -1, scheme: Scheme = "bio") -> Splits[TaggedSentences]:
    """Train, dev and test of a folder; without dev, a tenth of train becomes dev."""

    def split(part: str) -> TaggedSentences:
        return read_tagged(path / f"{part}.conll.gz", column=column, scheme=scheme)

    train, test = split("train"), split("test")
    if (path / "dev.conll.gz").exists():
        return Splits(train, split("dev"), test)
    return Splits(*cut_dev(train, seed=SPLIT_SEED), test)
