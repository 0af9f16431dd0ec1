"""Pairs of texts and whether the second follows from the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.corpus.rows import read_rows
from everyword.errors import InputError

LABELS = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True)
class Pairs:
    """Premises, hypotheses, and the label of each pair."""

    premises: tuple[str, ...]
    hypotheses: tuple[str, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)

    def chosen(self, rows: Iterable[int]) -> Pairs:
        """Return some of the pairs, in the order of the rows."""
        rows = list(rows)
        return Pairs(*(tuple(part[row] for row in rows) for part in (self.premises, self.hypotheses, self.labels)))

    def split(self, count: int, seed: int = 0) -> tuple[Pairs, Pairs]:
        """Return all pairs but some random ones, and these."""
        if not 0 < count < len(self):
            raise InputError(f"{len(self)} pairs cannot be split into two parts of which one has {count}.")
        order = np.random.default_rng(seed).permutation(len(self)).tolist()
        return self.chosen(sorted(order[count:])), self.chosen(sorted(order[:count]))


def read_pairs(path: Path) -> Pairs:
    """Read tab-separated label, premise and hypothesis, below a header."""
    found: list[tuple[str, str, str]] = []
    for number, (label, premise, hypothesis) in read_rows(path, "set of pairs", ("label", "premise", "hypothesis")):
        if label not in LABELS:
            raise InputError(f"{path}:{number}: the label must be one of {', '.join(LABELS)}. Got {label[:60]!r}.")
        found.append((premise, hypothesis, label))
    if not found:
        raise InputError(f"{path} holds no pairs below its first line; one or more are needed.")
    return Pairs(*map(tuple, zip(*found, strict=True)))


def joined(parts: Sequence[Pairs]) -> Pairs:
    """Return all pairs of several sets."""
    return Pairs(
        tuple(text for part in parts for text in part.premises),
        tuple(text for part in parts for text in part.hypotheses),
        tuple(label for part in parts for label in part.labels),
    )
