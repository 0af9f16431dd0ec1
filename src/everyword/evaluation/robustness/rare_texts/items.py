"""Rarified texts: their file, and the accuracy of a classifier on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.atomic import write_lines
from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.substitutes import MISSPELLING, SYNONYM

CLASSIFIER, TEXTS, RECORD = "classifier", "rarified.jsonl", "record.json"
"""The contents of a set's folder; the record is written last."""
FREQUENCIES = (0, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000)
INTERVALS = ((0, 0), (1, 5), (6, 25), (26, 100), (101, 1000))


@dataclass(frozen=True)
class Replacement:
    """A word, and the rare word that replaces it."""

    word: str
    by: str
    kind: str
    count: int


@dataclass(frozen=True)
class RareText:
    """A text with rare words; its label is that of the original text."""

    text: str
    label: str
    original: str
    replaced: Sequence[Replacement]

    @property
    def kinds(self) -> set[str]:
        """The kinds of its rare words."""
        return {one.kind for one in self.replaced}

    @property
    def most_frequent(self) -> int:
        """The count of its most frequent rare word in the corpus."""
        return max(one.count for one in self.replaced)


def write_rare_texts(path: Path, texts: Iterable[RareText]) -> None:
    """Write one JSON object per line."""
    write_lines(path, (json.dumps(asdict(text), ensure_ascii=False) for text in texts))


def read_rare_texts(path: Path) -> list[RareText]:
    """Read what `write_rare_texts` wrote."""
    keys = {"text": str, "label": str, "original": str, "replaced": list}
    found = []
    for number, record in read_json_lines(path, "file of rarified texts", keys):
        try:
            replaced = [Replacement(**one) for one in record["replaced"]]
        except TypeError:
            replaced = []
        if not replaced:
            raise InputError(f"{path}:{number}: needs replaced words with word, by, kind and count; fix the line.")
        found.append(RareText(record["text"], record["label"], record["original"], replaced))
    return found


@dataclass(frozen=True)
class Part:
    """Some of the texts, and the percentage with the correct label."""

    name: str
    n: int
    accuracy: float


def score_rare_texts(predict: Callable[[Sequence[str]], Sequence[str]], texts: Sequence[RareText]) -> list[Part]:
    """Score the accuracy over all texts, by kind of rare word, and by the frequency of rare words.

    The frequency is the count of the most frequent rare word: up to each limit (the paper's figure 3), and within
    intervals (its figure 4). Parts without texts are omitted, and limits that add none to the one before.
    """
    if not texts:
        raise InputError("There are no rarified texts to score; rarify more texts, or with more substitutes.")
    right = np.array(predict([one.text for one in texts])) == np.array([one.label for one in texts])
    most = np.array([one.most_frequent for one in texts])
    parts = [_part("all", right)]
    for kind in (MISSPELLING, SYNONYM):
        parts.append(_part(kind, right[np.array([kind in one.kinds for one in texts])]))
    pairs = zip((-1, *FREQUENCIES), FREQUENCIES, strict=False)
    limits = [limit for before, limit in pairs if ((most > before) & (most <= limit)).any()]
    parts += [_part(f"count <= {limit}", right[most <= limit]) for limit in limits]
    parts += [_part(f"count {low} to {high}", right[(most >= low) & (most <= high)]) for low, high in INTERVALS]
    return [part for part in parts if part.n]


def score_before_and_after(predict: Callable[[Sequence[str]], Sequence[str]], texts: Sequence[RareText]) -> list[Part]:
    """Score the same, and last the accuracy over the original texts, which perfect vectors would restore."""
    right = np.array(predict([one.original for one in texts])) == np.array([one.label for one in texts])
    return [*score_rare_texts(predict, texts), _part("as they were", right)]


def _part(name: str, right: npt.NDArray[np.bool_]) -> Part:
    return Part(name, len(right), 100 * float(right.mean()) if len(right) else 0.0)
