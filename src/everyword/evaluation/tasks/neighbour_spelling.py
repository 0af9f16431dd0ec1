"""Spelling among neighbours: how many of the ten nearest words share the first three letters without being relatives?

Data: words in bands of frequency, each with its relatives (inflections, derivations, WordNet neighbours), and beside it
the list of candidates. Relatives often share letters and belong there; other words that do are near by their spelling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks.given_candidates import NEAREST, GivenCandidates, read_candidates
from everyword.files import read_lines

WORDS_AT_ONCE = 250
LETTERS = 3
COLUMNS = ("band", "word")


@dataclass(frozen=True)
class BandSet:
    """Words with their band of frequency and their relatives, and the candidates."""

    name: str
    bands: Sequence[str]
    words: Sequence[str]
    relatives: Sequence[frozenset[str]]
    candidates: Sequence[str]

    @classmethod
    def load(cls, path: Path) -> BandSet:
        """Read tab-separated band, word and relatives (with commas between them, or none), and the list beside it."""
        rows = [cells for _, cells in read_rows(path, "set of bands", COLUMNS)]
        if not rows:
            raise InputError(f"{path} holds no words; a line needs a band, a word and its relatives.")
        lines = (line.split("\t") for line in read_lines(path, "set of bands")[1:])
        relatives = [frozenset(cells[2].split(",")) if len(cells) > 2 else frozenset[str]() for cells in lines]
        return cls(path.stem, [row[0] for row in rows], [row[1] for row in rows], relatives, read_candidates(path))


def run(model: EvaluatedModel, data: BandSet, seed: int) -> Scores:
    """Score the share of neighbours that are not there by mere spelling, with both shares for each band.

    A word without a vector has no neighbours: the bands leave it out, and none is near it by meaning.
    """
    candidates = GivenCandidates(data.candidates, model)
    alike, mere = np.full(len(data.words), np.nan), np.full(len(data.words), np.nan)
    for start in range(0, len(data.words), WORDS_AT_ONCE):
        words = data.words[start : start + WORDS_AT_ONCE]
        units = model.units(words)
        nearest = candidates.nearest(candidates.cosines(units, words))
        for place in np.flatnonzero(units.any(axis=1)).tolist():
            same = [
                found for row in nearest[place] if (found := candidates.words[row])[:LETTERS] == words[place][:LETTERS]
            ]
            alike[start + place] = len(same) / NEAREST
            mere[start + place] = sum(found not in data.relatives[start + place] for found in same) / NEAREST
    counted = ~np.isnan(mere)
    bands = np.array(data.bands)
    sections = {band: _shares(alike, mere, counted & (bands == band)) for band in dict.fromkeys(data.bands)}
    values: dict[str, float | None] = {"by_meaning": 100 * float(np.where(counted, 1 - mere, 0).mean())}
    known = sum(map(model.known, data.words))
    items = {"alike": _finite(alike), "mere": _finite(mere)}
    return Scores(values, len(data.words), known, sections=sections, items=items)


def _shares(alike: AnyArray, mere: AnyArray, members: AnyArray) -> dict[str, float]:
    shares = {"n": float(members.sum())}
    if members.any():
        shares |= {"alike": 100 * float(alike[members].mean()), "mere": 100 * float(mere[members].mean())}
    return shares


def _finite(shares: AnyArray) -> list[float]:
    """Return shares as plain numbers; -1 for a word without neighbours."""
    return [float(share) for share in np.where(np.isnan(shares), -1, shares)]


def misspelt(data: BandSet, misspell: Misspell) -> BandSet:
    """Return the same words in other spellings; their relatives stay."""
    return replace(data, words=[misspell(word) for word in data.words])


TASK = Task(
    name="neighbour-spelling",
    version=1,
    kind="neighbour-spelling",
    summary="How many of the ten nearest words are not there for their first letters alone? Share of neighbours.",
    main="by_meaning",
    load=BandSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
