"""From ranks to mean reciprocal ranks of each relation and band."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.evaluation.probes.cloze.entries import BANDS, RELATIONS, Entry

TOP = 100
"""An answer that is found later is not found."""


@dataclass(frozen=True)
class EntryRanks:
    """An entry, and the rank of its best target in each phrase, from 1."""

    entry: Entry
    ranks: tuple[int, ...]
    """Empty if none of its targets is a word that could be answered at all."""


@dataclass(frozen=True)
class Cell:
    """The scores of one relation and band, in percent."""

    relation: str
    band: str
    n: int
    answerable: int
    """Entries with a target that could be answered; the others count as not found."""
    best: float
    """Mean reciprocal rank with the best phrase of each entry, as published: an oracle chooses the phrase."""
    mean: float
    """The mean over all phrases, which nobody has to choose."""


def cells(asked: Sequence[EntryRanks]) -> list[Cell]:
    """Every relation in every band, then all relations of each band together ("all")."""
    return list(_cells(asked))


def _cells(asked: Sequence[EntryRanks]) -> Iterator[Cell]:
    for relation in (*RELATIONS, "all"):
        for band in BANDS:
            chosen = [one for one in asked if one.entry.band == band and relation in (one.entry.relation, "all")]
            if chosen:
                yield _cell(relation, band, chosen)


def _cell(relation: str, band: str, chosen: Sequence[EntryRanks]) -> Cell:
    reciprocal = [[1 / rank if rank <= TOP else 0.0 for rank in one.ranks] or [0.0] for one in chosen]
    return Cell(
        relation,
        band,
        len(chosen),
        sum(bool(one.ranks) for one in chosen),
        100 * float(np.mean([max(of_phrases) for of_phrases in reciprocal])),
        100 * float(np.mean([np.mean(of_phrases) for of_phrases in reciprocal])),
    )
