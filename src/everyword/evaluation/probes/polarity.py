"""Polarity sensitivity: does a classifier of sentiment follow a small edit that turns a sentence into its opposite?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword.arrays import BoolArray, IndexArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.sentences.tokens import tokens_of

DIRECTIONS = {"neg2pos": (0, 1), "pos2neg": (1, 0)}
"""The sentiment of the source and of its rewrite: 1 is positive."""
LABELS = {"0": 0, "1": 1}


class Rewrite(NamedTuple):
    """A sentence and what people made of it to say the opposite, with the sentiment of both."""

    source: str
    rewrite: str
    labels: tuple[int, int]

    @property
    def swapped(self) -> Rewrite:
        """The same pair in the other direction."""
        return Rewrite(self.rewrite, self.source, self.labels[::-1])


@dataclass(frozen=True)
class PolarityScore:
    """How often both sentences of a pair are classified correctly."""

    right: BoolArray
    """By pair: source, rewrite."""

    @property
    def both(self) -> BoolArray:
        """Whether both sentences of a pair are right."""
        return self.right[:, 0] & self.right[:, 1]

    @property
    def sensitivity(self) -> float:
        """The polarity sensitivity score, from 0 to 1."""
        return float(self.both.mean())

    @property
    def source(self) -> float:
        """The accuracy on sources."""
        return float(self.right[:, 0].mean())

    @property
    def rewrite(self) -> float:
        """The accuracy on rewrites."""
        return float(self.right[:, 1].mean())

    def relative(self, accuracy: float) -> float:
        """Return the share of a classifier's accuracy on other sentences that is left."""
        return self.sensitivity / accuracy if accuracy > 0 else 0.0


def read_rewrites(path: Path) -> list[Rewrite]:
    """Read tab-separated direction, source and rewrite."""
    pairs = []
    for number, (direction, source, rewrite) in read_rows(path, "file of rewrites", ("direction", "source", "rewrite")):
        if direction not in DIRECTIONS:
            raise InputError(
                f"{path}:{number}: the direction must be {' or '.join(DIRECTIONS)}. Got {direction!r}; fix this line."
            )
        pairs.append(Rewrite(source, rewrite, DIRECTIONS[direction]))
    return pairs


def read_sentiments(path: Path) -> tuple[list[str], IndexArray]:
    """Read tab-separated label, 0 or 1, and text."""
    texts, labels = [], []
    for number, (label, text) in read_rows(path, "file of labelled texts", ("label", "text")):
        if label not in LABELS:
            raise InputError(f"{path}:{number}: the label must be 0 or 1. Got {label!r}; fix this line.")
        texts.append(text)
        labels.append(LABELS[label])
    return texts, np.array(labels, dtype=np.int64)


def clean_pairs(pairs: Sequence[Rewrite], trained_on: Collection[str] = ()) -> list[Rewrite]:
    """Return the pairs whose rewrite has a word that the source has not, and that a classifier has not seen.

    A rewrite that equals its source, or only leaves words out, is no test of a classifier. Case, punctuation and the
    spaces of tokenised text do not count.
    """
    seen = {_letters(text) for text in trained_on}
    return [
        pair
        for pair in pairs
        if _words(pair.rewrite) - _words(pair.source) and seen.isdisjoint(map(_letters, (pair.source, pair.rewrite)))
    ]


def _words(text: str) -> set[str]:
    """Return the words of a text, so that "it 's" and "it's" are the same."""
    return set(tokens_of(text.lower().replace(" '", "'").replace(" n't", "n't")))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def polarity_sensitivity(predict: Callable[[Sequence[str]], IndexArray], pairs: Sequence[Rewrite]) -> PolarityScore:
    """Classify both sentences of each pair.

    Args:
        predict: Returns 1 for a positive text and 0 for a negative one.
        pairs: The pairs, cleaned.

    Raises:
        InputError: If there is no pair.
    """
    if not pairs:
        raise InputError("There is no pair to classify; polarity sensitivity needs one or more.")
    found = np.asarray(predict([text for pair in pairs for text in pair[:2]])).reshape(-1, 2)
    return PolarityScore(found == np.array([pair.labels for pair in pairs]))
