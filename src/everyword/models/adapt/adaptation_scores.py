"""Scores of adapted vectors against the table's own, beside baselines that need no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.unknown import Mean, NearestSpelling
from everyword.space.change import CANDIDATES, agreement
from everyword.vectors.neighbours import exact_neighbours, unit_rows
from everyword.vectors.table import VectorTable

NEIGHBOURS = 10

EvaluatedModel = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True)
class Trial:
    """A table, its visible part, and methods that make vectors for the hidden part."""

    table: VectorTable
    visible: VectorTable
    ways: Mapping[str, EvaluatedModel]

    @cached_property
    def all_ways(self) -> dict[str, EvaluatedModel]:
        """Return the methods and the baselines."""
        return {**self.ways, "the mean vector": Mean(self.visible), "nearest spelling": NearestSpelling(self.visible)}

    @cached_property
    def _candidates(self) -> FloatArray:
        return unit_rows(self.visible.head(CANDIDATES).matrix)

    def neighbours(self, vectors: FloatArray) -> list[list[int]]:
        """Return the visible words nearest to vectors."""
        found, _ = exact_neighbours(vectors, self._candidates, NEIGHBOURS, matrix_is_unit=True)
        nearest: list[list[int]] = found.tolist()
        return nearest


def score_rows(trial: Trial, kind: str, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row of scores for each method on words of a kind, as a model card shows them."""
    own = trial.table.select(words).matrix
    own_neighbours = trial.neighbours(own)
    rows = []
    for way, make in trial.all_ways.items():
        made = make(words)
        cosine = float(np.einsum("ij,ij->i", unit_rows(made), unit_rows(own)).mean())
        agree = NEIGHBOURS * agreement(own_neighbours, trial.neighbours(made))
        score = f"cosine {cosine:.3f}, {agree:.1f} of {NEIGHBOURS} neighbours"
        rows.append({"what": f"{kind}: {way}", "score": score, "n": len(words)})
    return rows
