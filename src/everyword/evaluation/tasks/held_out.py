"""Held-out words: is an inferred vector close to the teacher's vector?

Data: a teacher's table, and words of it that the model neither stores nor was trained on. Words that the model stores
are skipped and counted; whether it was trained on the others cannot be checked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.files import read_lines
from everyword.vectors.neighbours import exact_neighbours, unit_rows
from everyword.vectors.table import VectorTable

NEIGHBOURS = 10


@dataclass(frozen=True)
class HeldOutSet:
    """A teacher's table and some of its words."""

    name: str
    teacher: VectorTable
    teacher_path: Path
    words: Sequence[str]
    spellings: Mapping[str, str] = field(default_factory=dict)
    """The spellings that the model gets, where they differ from the teacher's."""

    @classmethod
    def load(cls, path: Path, teacher: Path) -> HeldOutSet:
        """Read words, one per line, and the teacher's table, which must contain them all."""
        table = VectorTable.load(teacher)
        words = list(dict.fromkeys(word for line in read_lines(path, "list of words") if (word := line.strip())))
        missing = [word for word in words if word not in table]
        if missing:
            raise InputError(
                f"{len(missing):,} of the {len(words):,} words of {path} are not in {teacher}, such as {missing[0]!r}; "
                "remove them from the list."
            )
        return cls(path.name.partition(".")[0], table, teacher, words)


def run(model: EvaluatedModel, data: HeldOutSet, seed: int) -> Scores:
    """Score the mean cosine to the teacher's vectors, and how many of the ten nearest known words are the same."""
    words = [word for word in data.words if not model.known(word)]
    if not words:
        raise NoOverlapError(
            f"{model.name} stores all {len(data.words):,} words of {data.name}: none of them is held out."
        )
    own = model.units([data.spellings.get(word, word) for word in words])
    if own.shape[1] != data.teacher.dim:
        raise InputError(
            f"{data.teacher_path} has dimension {data.teacher.dim} and {model.name} has {own.shape[1]}; "
            "give the table that the model was trained on."
        )
    targets = unit_rows(data.teacher.select(words).matrix)
    cosines = np.einsum("ij,ij->i", own, targets)
    values: dict[str, float | None] = {
        "cosine": 100 * float(cosines.mean()),
        "cosine_deviation": 100 * float(cosines.std()),
        "overlap@10": None,
    }
    common = [row for row, word in enumerate(model.candidates) if word in data.teacher]
    if len(common) >= NEIGHBOURS:
        theirs = data.teacher.select([model.candidates[row] for row in common]).matrix
        near, right = (
            exact_neighbours(queries, table, NEIGHBOURS)[0]
            for queries, table in ((own, model.candidate_units[common]), (targets, theirs))
        )
        shared = [len(set(one) & set(other)) for one, other in zip(near.tolist(), right.tolist(), strict=True)]
        values["overlap@10"] = 100 * float((np.array(shared) * own.any(axis=1)).mean()) / NEIGHBOURS
    return Scores(values, len(words), 0, sections={"stored, so left out": {"n": len(data.words) - len(words)}})


def misspelt(data: HeldOutSet, misspell: Misspell) -> HeldOutSet:
    """Return the same words in other spellings for the model; the teacher's vectors stay those of the correct ones."""
    return replace(data, spellings={word: misspell(word) for word in data.words})


TASK = Task(
    name="held-out",
    version=1,
    kind="held-out",
    summary="Is the vector of an unseen word close to the teacher's? Cosine, shared neighbours.",
    main="cosine",
    load=HeldOutSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
