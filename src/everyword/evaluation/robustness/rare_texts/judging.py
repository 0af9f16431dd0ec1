"""How many rarified texts get their label: all of them, by kind of rare word, and by how rare the words are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.items import RareText
from everyword.evaluation.robustness.rare_texts.substitutes import MISSPELLING, SYNONYM

FREQUENCIES = (0, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000)
INTERVALS = ((0, 0), (1, 5), (6, 25), (26, 100), (101, 1000))


@dataclass(frozen=True)
class Part:
    """Some of the texts, and how many of a hundred got their label."""

    name: str
    n: int
    accuracy: float


def score_rare_texts(predict: Callable[[Sequence[str]], Sequence[str]], texts: Sequence[RareText]) -> list[Part]:
    """Accuracy over all texts, those with a misspelling, those with a synonym, and by the frequency of rare words.

    That is the count of the most frequent one: up to each limit (the paper's figure 3), and within intervals (its
    figure 4). Parts without texts are left out, and a limit that adds none to the one before.
    """
    if not texts:
        raise InputError("There are no rarified texts to judge; rarify more texts, or with more substitutes.")
    right = np.array(predict([one.text for one in texts])) == np.array([one.label for one in texts])
    most = np.array([one.most_frequent for one in texts])
    parts = [_part("all", right)]
    for kind in (MISSPELLING, SYNONYM):
        parts.append(_part(kind, right[np.array([kind in one.kinds for one in texts])]))
    steps = [limit for before, limit in zip((-1, *FREQUENCIES), FREQUENCIES, strict=False) if _any(most, before, limit)]
    parts += [_part(f"count <= {limit}", right[most <= limit]) for limit in steps]
    parts += [_part(f"count {low} to {high}", right[(most >= low) & (most <= high)]) for low, high in INTERVALS]
    return [part for part in parts if part.n]


def score_before_and_after(predict: Callable[[Sequence[str]], Sequence[str]], texts: Sequence[RareText]) -> list[Part]:
    """The same, and last the accuracy over the texts as they were, which is what perfect vectors would give back."""
    right = np.array(predict([one.original for one in texts])) == np.array([one.label for one in texts])
    return [*score_rare_texts(predict, texts), _part("as they were", right)]


def _any(most: npt.NDArray[np.int64], before: int, limit: int) -> bool:
    return bool(((most > before) & (most <= limit)).any())


def _part(name: str, right: npt.NDArray[np.bool_]) -> Part:
    return Part(name, len(right), 100 * float(right.mean()) if len(right) else 0.0)
