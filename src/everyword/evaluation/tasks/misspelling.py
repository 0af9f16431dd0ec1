"""Misspelling recovery: is the correct word the nearest known word to the misspelling?

The baseline to beat is edit distance rather than another model: see docs/tasks.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task

SCORES_AT_ONCE = 1 << 23
HITS = (1, 5, 10)


@dataclass(frozen=True)
class MisspellingSet:
    """Misspellings, each with its possible corrections."""

    name: str
    rights: Mapping[str, Sequence[str]]

    @classmethod
    def load(cls, path: Path) -> MisspellingSet:
        """Read tab-separated wrong and right with one header line; a misspelling may have several lines."""
        rows = read_rows(path, "misspelling set", ("wrong", "right"))
        data = cls.of_pairs(path.name.partition(".")[0], ((wrong, right) for _, (wrong, right) in rows))
        if not data.rights:
            raise InputError(f"{path} holds no misspellings; a line needs wrong and right.")
        return data

    @classmethod
    def of_pairs(cls, name: str, pairs: Iterable[tuple[str, str]]) -> MisspellingSet:
        """Group pairs of a misspelling and its correction by the misspelling."""
        rights: dict[str, list[str]] = {}
        for wrong, right in pairs:
            rights.setdefault(wrong, []).append(right)
        return cls(name, rights)


def ranks(
    queries: FloatArray, candidates: FloatArray, rights: Sequence[Sequence[int]], barred: IndexArray
) -> IndexArray:
    """Return the rank of the best correct candidate for each query, from 1; ties count against it.

    Queries and candidates are unit vectors; `barred` is a candidate that is not counted, or -1.
    """
    found = np.empty(len(queries), dtype=np.int64)
    step = max(1, SCORES_AT_ONCE // max(1, len(candidates)))
    for start in range(0, len(queries), step):
        scores = queries[start : start + step] @ candidates.T
        best = np.array([scores[row, rows].max() for row, rows in enumerate(rights[start : start + step])])
        out = barred[start : start + step]
        scores[np.flatnonzero(out >= 0), out[out >= 0]] = -np.inf
        found[start : start + step] = np.count_nonzero(scores >= best[:, None], axis=1)
    return found


def run(model: EvaluatedModel, data: MisspellingSet, seed: int) -> Scores:
    """Score mean reciprocal rank and hits over all misspellings, and over those with a correction among the candidates.

    A misspelling that is itself a candidate is excluded, as in `nearest`.
    """
    fair, rank = ranks_of(model, data)
    found = rank > 0
    hits = {"mrr": found / np.maximum(rank, 1)} | {f"hit@{most}": found & (rank <= most) for most in HITS}
    totals = {name: 100 * float(values.sum()) for name, values in hits.items()}
    values: dict[str, float | None] = {name: total / len(data.rights) for name, total in totals.items()}
    values |= {f"{name}_known": total / len(fair) for name, total in totals.items()}
    by_word = dict(zip(fair, rank.tolist(), strict=True))
    items = {"rank": [by_word.get(wrong, 0) for wrong in data.rights]}
    return Scores(values, len(data.rights), len(fair), items_if_asked=items)


def ranks_of(model: EvaluatedModel, data: MisspellingSet) -> tuple[list[str], IndexArray]:
    """Return the misspellings with a correction among the candidates, and the rank of the best one for each.

    The rank is 0 for a misspelling without a vector, which has no neighbours.
    """
    rights = {
        wrong: {row for word in words if (row := model.candidate(word)) is not None}
        for wrong, words in data.rights.items()
    }
    fair = [wrong for wrong, rows in rights.items() if rows]
    if not fair:
        raise NoOverlapError(
            f"No correct word of {data.name} is among the {len(model.candidates):,} candidates of {model.name}; "
            "is it of another language?"
        )
    own = [model.candidate(wrong) for wrong in fair]
    barred = np.array(
        [-1 if row is None or row in rights[wrong] else row for wrong, row in zip(fair, own, strict=True)]
    )
    queries = model.units(fair)
    rank = ranks(queries, model.candidate_units, [sorted(rights[wrong]) for wrong in fair], barred)
    return fair, np.where(queries.any(axis=1), rank, 0)


def misspelt(data: MisspellingSet, misspell: Misspell) -> MisspellingSet:
    """Return misspellings with one more error; two that become the same have the corrections of both."""
    rights: dict[str, list[str]] = {}
    for wrong, words in data.rights.items():
        rights.setdefault(misspell(wrong), []).extend(words)
    return replace(data, rights=rights)


TASK = Task(
    name="misspelling",
    version=1,
    kind="misspelling",
    summary="Is the correct word near its misspelling, among all known words? Mean reciprocal rank.",
    main="mrr",
    load=MisspellingSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
