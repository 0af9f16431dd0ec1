"""Adapt a model to a table of vectors in seconds, without training: map its vectors into the table's space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from everyword import __version__
from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.adapt.own_table import OwnTable, read_own, store
from everyword.models.load import load
from everyword.models.model import Model
from everyword.models.unknown import Mean, NearestSpelling
from everyword.space.change import CANDIDATES, agreement
from everyword.space.linear_map import FittedMap, fit_map
from everyword.space.pipeline import Reporter, no_report
from everyword.vectors.neighbours import exact_neighbours, unit_rows
from everyword.vectors.storage.quantising import KnownPrecision
from everyword.vectors.table import VectorTable

ENOUGH_SHARED = 100
"""With fewer words a map of any strength is a guess, and too few are left to measure it."""
HELD_OUT = 2_000
"""The maximum of held-out words of each kind that the map is scored on."""
HELD_OUT_PART = 10
"""At most one in this many of the shared words is held out."""
NEIGHBOURS = 10
NOTE = (
    "Of words that no map or baseline was shown: the mean cosine to the table's own vector, and how many of its ten "
    "nearest words, among the first 20,000 that were shown, are nearest to the vector made."
)

MakeVectors = Callable[[Sequence[str]], FloatArray]


def adapt(
    table: VectorTable | str | Path,
    model: Model | str | Path | None = None,
    *,
    words: int | None = None,
    precision: KnownPrecision = "float32",
    name: str = "adapted",
    scores: bool = False,
    report: Reporter = no_report,
) -> AdaptedModel:
    """Make a model for a table of vectors, without training.

    The model knows the words of the table and gives all others a vector in the table's space: ridge regression from the
    vectors of another model to the table's, fitted to the words that both know. It takes seconds and needs no torch.

    Args:
        table: The vectors, or a file of vectors.
        model: The model that is mapped into the table's space; the embedded default if none is given.
        words: Take only the first words of the table, up to this number.
        precision: How the table is stored: float32, float16, int8, int4 or pq (product quantisation).
        name: The name of the new model.
        scores: Also measure the map on held-out words, which takes most of the time; the model's `record["scores"]`
            then holds the numbers.
        report: Called with one line of text about each step.

    Returns:
        The adapted model.

    Raises:
        InputError: If the table and the model share too few words.
    """
    base = model if isinstance(model, Model) else load(model)
    if isinstance(base, AdaptedModel):
        raise InputError(f"{base.name} is adapted from {base.base.name} itself; adapt that one instead.")
    own = read_own(table, words, base.normalise)
    known = store(own.table.words, own.table.matrix, precision)
    shared, new = _shared_and_new(own.table, base)
    if len(shared) < ENOUGH_SHARED:
        raise InputError(
            f"Only {len(shared)} words have vectors in both {own.name} and {base.name}, and a map needs "
            f"{ENOUGH_SHARED}; "
            "check that both are of one language, or train a model on the table: everyword train --help"
        )
    measured: list[dict[str, Any]] = []
    if scores:
        report(f"scoring a map from {base.name} to {own.name} on held-out words")
        measured = _score_map(own.table, base, shared, new)
    report(f"fitting the map to {len(shared):,} words")
    fitted = _fit(own.table, base, shared)
    return AdaptedModel(name, base, fitted.map, known, _record(own, base, len(shared), fitted, measured))


def _shared_and_new(table: VectorTable, base: Model) -> tuple[list[str], list[str]]:
    """Return the table's words that the base knows and those that it does not, except words with a zero vector."""
    usable = [table.words[row] for row in np.flatnonzero(table.matrix.any(axis=1)).tolist()]
    known = base.known_words.index
    return [word for word in usable if word in known], [word for word in usable if word not in known]


def _fit(table: VectorTable, base: Model, words: list[str]) -> FittedMap:
    own = table.select(words).matrix
    return fit_map(base.encode(words), own, length=_mean_length(own))


def _mean_length(matrix: FloatArray) -> float:
    return float(np.linalg.norm(matrix.astype(np.float64), axis=1).mean())


def _score_map(table: VectorTable, base: Model, shared: list[str], new: list[str]) -> list[dict[str, Any]]:
    """Score a map on words that it was not fitted to."""
    held_out = {
        f"words that {base.name} knows": _spread(shared, min(HELD_OUT, len(shared) // HELD_OUT_PART)),
        f"words that {base.name} does not know": _spread(new, HELD_OUT),
    }
    hidden = {word for words in held_out.values() for word in words}
    visible = table.select([word for word in table.words if word not in hidden])
    fitted = _fit(table, base, [word for word in shared if word not in hidden])
    adapted = AdaptedModel("trial", base, fitted.map, store(visible.words, visible.matrix, "float32"), {})
    trial = Trial(table, visible, {"adapted": adapted.encode})
    return [row for kind, words in held_out.items() if words for row in score_rows(trial, kind, words)]


def _spread(words: list[str], count: int) -> list[str]:
    """Return `count` words, or all if there are fewer, at equal distances from the first to the last."""
    indices = np.unique(np.linspace(0, len(words) - 1, min(count, len(words))).astype(np.int64))
    return [words[index] for index in indices.tolist()]


@dataclass(frozen=True)
class Trial:
    """A table, its visible part, and methods that make vectors for the hidden part."""

    table: VectorTable
    visible: VectorTable
    methods: Mapping[str, MakeVectors]

    @cached_property
    def all_methods(self) -> dict[str, MakeVectors]:
        """Return the methods and the baselines."""
        return {
            **self.methods,
            "the mean vector": Mean(self.visible),
            "nearest spelling": NearestSpelling(self.visible),
        }

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
    for method, make in trial.all_methods.items():
        made = make(words)
        cosine = float(np.einsum("ij,ij->i", unit_rows(made), unit_rows(own)).mean())
        agree = NEIGHBOURS * agreement(own_neighbours, trial.neighbours(made))
        score = f"cosine {cosine:.3f}, {agree:.1f} of {NEIGHBOURS} neighbours"
        rows.append({"what": f"{kind}: {method}", "score": score, "n": len(words)})
    return rows


def _record(own: OwnTable, base: Model, shared: int, fitted: FittedMap, scores: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the training record, which the model card and `everyword info` show."""
    record = {
        "summary": f"The words of {own.name}, and every other word from {base.name}, mapped into their space.",
        "teacher": {"description": own.description, "sha256": own.sha256},
        "adaptation": {"base": base.name, "shared_words": shared, "ridge": fitted.ridge},
        "scores": {"rows": scores, "note": NOTE},
        "versions": {"everyword": __version__, "numpy": np.__version__},
    }
    return record if scores else {key: value for key, value in record.items() if key != "scores"}
