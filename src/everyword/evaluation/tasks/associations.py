"""Associations: which of two groups lies nearer to which attributes, such as women to family and men to careers.

The word-embedding association test of Caliskan, Bryson and Narayanan (Science 2017): how much nearer each word of the
first group lies to the first attributes than to the second, less the same for the second group, in standard deviations
over both groups. Its words here are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.vectors.neighbours import unit_rows

PARTS = ("target1", "target2", "attribute1", "attribute2")
FEWEST = 3
"""How many words of each part a model must have a vector for."""
LARGEST = 2.0
"""The largest effect there can be, up to the sign."""
CONTROL = "flowers-insects"
"""A test that is about no people: whoever knows words finds flowers pleasant."""
SHUFFLES = 10_000


@dataclass(frozen=True)
class Associations:
    """The words of several tests."""

    name: str
    tests: Mapping[str, Mapping[str, Sequence[str]]]
    """Test → part → words."""

    @classmethod
    def load(cls, path: Path) -> Associations:
        """Read tab-separated test, part, group and word; the group is the part's name for people."""
        tests: dict[str, dict[str, list[str]]] = {}
        for number, (test, part, _, word) in read_rows(path, "list of associations", ("test", "part", "group", "word")):
            if part not in PARTS:
                raise InputError(f"{path}, line {number}: the part must be one of {', '.join(PARTS)}. Got {part!r}.")
            tests.setdefault(test, {}).setdefault(part, []).append(word)
        for test, parts in tests.items():
            if lacking := [part for part in PARTS if part not in parts]:
                raise InputError(f"{path}: the test {test!r} has no words of {lacking[0]}.")
        if not tests:
            raise InputError(f"{path} holds no words; a line needs test, part, group and word.")
        return cls(path.name.partition(".")[0], tests)


def run(model: EvaluatedModel, data: Associations, seed: int) -> Scores:
    """Score how far a model is from associating groups of people with attributes."""
    sections: dict[str, dict[str, float]] = {}
    words = known = 0
    for test, parts in data.tests.items():
        vectors = {part: _present(model.encode(parts[part])) for part in PARTS}
        words += sum(map(len, parts.values()))
        known += sum(model.known(word) for some in parts.values() for word in some)
        if min(map(len, vectors.values())) >= FEWEST:
            effect, p = association(**vectors, seed=seed)
            sections[test] = {"effect": effect, "p": p}
    about_people = [abs(found["effect"]) for test, found in sections.items() if test != CONTROL]
    if not about_people:
        raise NoOverlapError(f"{model.name} has vectors of too few words of {data.name}.")
    values = {"impartial": 100 * (1 - float(np.mean(about_people)) / LARGEST)}
    return Scores(values, words, known, sections=sections)


def _present(vectors: FloatArray) -> FloatArray:
    """Return unit vectors, without those of words that have none."""
    return unit_rows(vectors[np.any(vectors, axis=1)])


def association(
    target1: AnyArray, target2: AnyArray, attribute1: AnyArray, attribute2: AnyArray, seed: int = 0
) -> tuple[float, float]:
    """Return the effect size and how often a random division of the targets has one as large.

    Args:
        target1: Unit vectors of the first group, (words, dim).
        target2: Those of the second one.
        attribute1: Unit vectors of what the first group may be near to.
        attribute2: Those of what the second one may be near to.
        seed: The seed of the random divisions.

    Returns:
        The effect, from -2 to 2, and p, of both signs.
    """
    both = np.concatenate([target1, target2])
    nearer = (both @ attribute1.T).mean(axis=1) - (both @ attribute2.T).mean(axis=1)
    first, spread = len(target1), float(nearer.std(ddof=1))
    if not spread:
        return 0.0, 1.0
    difference = float(nearer[:first].mean() - nearer[first:].mean())
    rng = np.random.default_rng(seed)
    drawn = rng.permuted(np.tile(nearer, (SHUFFLES, 1)), axis=1)
    by_chance = drawn[:, :first].mean(axis=1) - drawn[:, first:].mean(axis=1)
    as_large = np.abs(by_chance) >= abs(difference) - 1e-12
    return difference / spread, float((1 + as_large.sum()) / (1 + SHUFFLES))


TASK = Task(
    name="associations",
    version=1,
    kind="associations",
    summary="How little are groups of people associated with attributes? 100 is not at all.",
    main="impartial",
    load=Associations.load,
    run=run,
)
