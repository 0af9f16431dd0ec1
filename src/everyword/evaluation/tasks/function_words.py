"""Function words: are the words with the least decided features those that carry grammar?

Words are ranked by the entropy of their feature tuples, the highest first, among the most frequent ones. Two rankings
that need no tuples stand beside it: by frequency, and by the length of the vectors, the shortest first. Where tuples
are normalised by row, a short vector alone makes a high entropy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.space import divergences
from everyword.space.scorer import Scorer

AMONG = {"": 10_000, "_of_1000": 1000}
"""The most frequent words, which are ranked, and what the names of their scores end in. Vectors of rarer words are
short because they were seldom trained, and take the first places."""
TOP = (15, 30, 50)
USUAL = Scorer(normalise="row")
"""How tuples are made where the model compares by cosine."""


@dataclass(frozen=True)
class FunctionWords:
    """Words of closed classes, such as pronouns and prepositions."""

    name: str
    classes: Mapping[str, str]
    """The class of each word."""

    @classmethod
    def load(cls, path: Path) -> FunctionWords:
        """Read tab-separated word and class."""
        classes = {cells[0]: cells[1] for _, cells in read_rows(path, "list of function words", ("word", "class"))}
        if not classes:
            raise InputError(f"{path} holds no words; a line needs word and class.")
        return cls(path.name.partition(".")[0], classes)


def run(model: EvaluatedModel, data: FunctionWords, seed: int) -> Scores:
    """Score how many of the first words are function words, by entropy, frequency and length of the vectors."""
    words = model.candidates[: max(AMONG.values())]
    listed = np.array([word in data.classes for word in words], dtype=bool)
    if not listed.any():
        raise NoOverlapError(f"None of the {len(words):,} most frequent words of {model.name} is in {data.name}.")
    vectors = model.candidate_vectors[: len(words)]
    tuples = (model.scorer or USUAL).features.fit(model.candidate_vectors).change(vectors)
    rankings = {"entropy": -divergences.entropy(tuples), "length": np.linalg.norm(vectors, axis=1)}
    values: dict[str, float | None] = {}
    for name, ranks in rankings.items():
        for ending, among in AMONG.items():
            values |= _shares(name, listed[:among][np.argsort(ranks[:among], kind="stable")], ending)
    values |= _shares("frequency", listed)
    return Scores(values, len(data.classes), int(listed.sum()))


def _shares(name: str, ordered: AnyArray, ending: str = "") -> dict[str, float]:
    return {f"{name}_{top}{ending}": 100 * float(ordered[:top].mean()) for top in TOP}


TASK = Task(
    name="function-words",
    version=1,
    kind="function-words",
    summary="Are the frequent words whose features have the highest entropy function words? Share of the first 50.",
    main="entropy_50",
    load=FunctionWords.load,
    run=run,
    takes_scorers=True,
)
