"""Definitional nonces: is the vector made from a word's definition near the word's own vector?

The definition is the opening of the word's encyclopedia article. Models that read spellings also see the word, and
models that were trained on it may remember it; the score of the policy "form" shows how much that contributes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.context_models import reading
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.misspelling import ranks

GAP = "___"
"""The placeholder of the word."""


@dataclass(frozen=True)
class NonceSet:
    """Words and their definitions."""

    name: str
    definitions: Mapping[str, Sequence[str]]

    @classmethod
    def load(cls, path: Path) -> NonceSet:
        """Read the test rows of split, word and definition with one header line, and fill in the gaps."""
        definitions: dict[str, list[str]] = {}
        for _, (split, word, definition) in read_rows(path, "set of definitions", ("split", "word", "definition")):
            if split == "test":
                definitions.setdefault(word, []).append(definition.replace(GAP, word))
        if not definitions:
            raise InputError(f"{path} holds no definitions whose split is test; one or more are needed.")
        return cls(path.name.partition(".")[0], definitions)


def run(model: EvaluatedModel, data: NonceSet, seed: int) -> Scores:
    """Score the mean reciprocal rank of the word's own vector among all candidates, over all and over known words."""
    reader = reading(model, TASK.name)
    rows = {word: row for word in data.definitions if (row := model.candidate(word)) is not None}
    if not rows:
        raise NoOverlapError(
            f"No word of {data.name} is among the {len(model.candidates):,} candidates of {model.name}; "
            "is it of another language?"
        )
    queries = reader.units_in({word: data.definitions[word] for word in rows})
    none_barred = np.full(len(rows), -1)
    rank = ranks(queries, model.candidate_units, [[row] for row in rows.values()], none_barred)
    # A definition without a vector has no neighbours: its word ranks last.
    rank[~queries.any(axis=1)] = len(model.candidates)
    hits = {"mrr": 1 / rank, "hit@10": rank <= 10}
    totals = {name: 100 * float(values.sum()) for name, values in hits.items()}
    values: dict[str, float | None] = {name: total / len(data.definitions) for name, total in totals.items()}
    values |= {f"{name}_known": total / len(rows) for name, total in totals.items()}
    ranked = {"median": float(np.median(rank)), "of candidates": float(len(model.candidates))}
    return Scores(values, len(data.definitions), len(rows), sections={"rank": ranked})


TASK = Task(
    name="nonce",
    version=1,
    kind="nonce",
    summary="Is the vector made from a word's definition near the word's own? Mean reciprocal rank.",
    main="mrr",
    load=NonceSet.load,
    run=run,
    reads_sentences=True,
)
