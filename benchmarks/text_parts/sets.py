"""The sets that texts are judged on: pairs of sentences with a score, and texts with a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.files import read_lines
from text_parts.noise import Misspell, misspelt

YEARS = ("sts12", "sts13", "sts14", "sts15", "sts16")
STSB, SICK = "stsb", "sick"
SEVEN = (*YEARS, STSB, SICK)
ENTAILMENT = {"entailment": 1.0, "neutral": 0.5, "contradiction": 0.0}


@dataclass(frozen=True)
class Pairs:
    """Pairs of texts with what people say of them: how similar they are, or whether they mean the same."""

    name: str
    first: Sequence[str]
    second: Sequence[str]
    scores: npt.NDArray[np.float64]
    left_out: int = 0
    """How many pairs are not counted, since models are chosen on them."""

    def __len__(self) -> int:
        return len(self.first)

    def with_typos(self, misspell: Misspell = misspelt) -> Pairs:
        """Return the same pairs with typos in the second texts."""
        return Pairs(self.name, self.first, list(map(misspell, self.second)), self.scores, self.left_out)


@dataclass(frozen=True)
class Labelled:
    """Texts with labels, to learn from and to be judged on."""

    name: str
    train: Sequence[str]
    train_labels: Sequence[str]
    test: Sequence[str]
    test_labels: Sequence[str]

    def with_typos(self) -> Labelled:
        """Return the same texts with typos in those to be judged on."""
        return Labelled(self.name, self.train, self.train_labels, list(map(misspelt, self.test)), self.test_labels)

    def development(self) -> Labelled:
        """Return a split of the texts to learn from: every fifth is judged on, and the test is not touched."""
        parts = [
            [row for at, row in enumerate(column) if (at % 5 == 0) == judged]
            for judged in (False, True)
            for column in (self.train, self.train_labels)
        ]
        return Labelled(self.name, *parts)


def columns(path: Path, *names: str, where: tuple[str, str] | None = None) -> list[list[str]]:
    """Return columns of a tab-separated file by their names; with `where`, only rows with a value in a column."""
    lines = read_lines(path, "texts")
    header = lines[0].split("\t")
    rows = [line.split("\t") for line in lines[1:]]
    if where is not None:
        rows = [row for row in rows if row[header.index(where[0])] == where[1]]
    return [[row[header.index(name)] for row in rows] for name in names]


def seven_sets(data: Path) -> Iterator[Pairs]:
    """Yield STS12 to STS16 without the pairs of STS-B's development part, STS-B's test part, and SICK's."""
    folder = data / "sentsim"
    chosen_on = pairs_in(*columns(folder / "stsb" / "dev.tsv.gz", "sentence1", "sentence2"))
    for year in YEARS:  # each year is judged on all of its test pairs together
        found = columns(folder / f"{year}.tsv.gz", "sentence1", "sentence2", "score", where=("split", "test"))
        yield without(_pairs(year, *found), chosen_on)
    yield _pairs(STSB, *columns(folder / "stsb" / "test.tsv.gz", "sentence1", "sentence2", "score"))
    yield _pairs(SICK, *columns(folder / "sick" / "test.tsv.gz", "sentence1", "sentence2", "relatedness"))


def development_sets(data: Path) -> dict[str, Pairs]:
    """Return the sets that models are chosen on; only STS-B is graded."""
    stsb = columns(data / "sentsim" / "stsb" / "dev.tsv.gz", "sentence1", "sentence2", "score")
    qqp = columns(data / "paraphrase" / "qqp_dev10k.tsv.gz", "sentence1", "sentence2", "label")
    paws = columns(data / "paraphrase" / "paws_wiki.tsv.gz", "sentence1", "sentence2", "label")
    premises, hypotheses, labels = columns(data / "nli" / "snli" / "dev.tsv.gz", "premise", "hypothesis", "label")
    snli = (premises, hypotheses, [str(ENTAILMENT[label]) for label in labels])
    found = {"stsb-dev": stsb, "qqp": qqp, "paws": paws, "snli": snli}
    return {name: _pairs(name, *given) for name, given in found.items()}


def pairs_in(first: Sequence[str], second: Sequence[str]) -> set[frozenset[str]]:
    """Return pairs of texts, whatever their order, case, punctuation and spaces."""
    return {_pair(one, other) for one, other in zip(first, second, strict=True)}


def without(given: Pairs, left_out: set[frozenset[str]]) -> Pairs:
    """Return the pairs that are not among those to leave out."""
    rows = [at for at in range(len(given)) if _pair(given.first[at], given.second[at]) not in left_out]
    first, second = ([texts[at] for at in rows] for texts in (given.first, given.second))
    return Pairs(given.name, first, second, given.scores[rows], len(given) - len(rows))


def labelled_sets(data: Path) -> Iterator[Labelled]:
    """Yield the five sets of labelled texts."""
    folder = data / "classification"
    train, labels = columns(folder / "agnews" / "train8k.tsv.gz", "text", "label")
    yield Labelled("agnews", train, labels, *columns(folder / "agnews" / "test.tsv.gz", "text", "label"))
    for name, ending in (("banking77", ".tsv.gz"), ("newsgroups20", ".tsv.gz"), ("imdb", ".tsv.gz"), ("sst2", ".tsv")):
        parts = [columns(folder / name / f"{part}{ending}", "text", "label") for part in ("train", "test")]
        yield Labelled(name, *parts[0], *parts[1])


def _pairs(name: str, first: Sequence[str], second: Sequence[str], scores: Sequence[str]) -> Pairs:
    return Pairs(name, first, second, np.array([float(score) for score in scores]))


def _pair(one: str, other: str) -> frozenset[str]:
    return frozenset("".join(filter(str.isalnum, text.lower())) for text in (one, other))
