"""The public data sets of the extrinsic tasks: which files, which column, which splits. None is shipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import UnknownNameError, did_you_mean
from everyword.evaluation.extrinsic.ladder import STRENGTHS, Step
from everyword.evaluation.extrinsic.splits import Splits, cut_dev, fold
from everyword.evaluation.extrinsic.tagged import Scheme, Tagged, read_tagged
from everyword.evaluation.extrinsic.texts import Texts, read_texts

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
    path = folder / found.path
    if path.name.endswith(".gz"):
        return fold(read_texts(path, found.labels), number, seed=SPLIT_SEED)
    train, dev, test = (read_texts(path / f"{split}.tsv", found.labels) for split in ("train", "dev", "test"))
    return Splits(train, dev, test)


def load_tagged(name: str, folder: Path) -> Splits[Tagged]:
    """The splits of a tagging set in a data folder."""
    if name not in TAG_SETS:
        raise UnknownNameError(f"There is no tagging set {name!r}: {did_you_mean(name, TAG_SETS)}")
    found = TAG_SETS[name]

    def split(part: str) -> Tagged:
        return read_tagged(folder / found.path / f"{part}.conll.gz", column=found.column, scheme=found.scheme)

    train, test = split("train"), split("test")
    if (folder / found.path / "dev.conll.gz").exists():
        return Splits(train, split("dev"), test)
    return Splits(*cut_dev(train, seed=SPLIT_SEED), test)


def sst2_ladder(folder: Path, strengths: Sequence[float] = STRENGTHS) -> list[Step[Texts]]:
    """The noisy copies of SST-2's test set that the authors of LOVE published, typo_10.tsv to typo_90.tsv."""
    home = folder / TEXT_SETS["sst2"].path
    return [Step(strength, read_texts(home / f"typo_{strength * 100:.0f}.tsv")) for strength in strengths]
