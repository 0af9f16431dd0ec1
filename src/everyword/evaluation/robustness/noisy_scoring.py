"""From a piece to its scores: on the data as it is, or on noisy copies of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from everyword.errors import NoScoreError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.evaluated_model import CHARACTERS, EvaluatedModel
from everyword.evaluation.task import Scores

COPIES = 3
"""How many noisy copies a task that trains nothing is scored on, each made with another seed."""


@dataclass(frozen=True)
class Scored:
    """The scores of one level, and the share of words that noise really changed (None for clean data)."""

    scores: Scores
    changed: float | None = None


def score_levels(model: EvaluatedModel, levels: Sequence[Benchmark], seed: int) -> Iterator[Scored]:
    """Score levels that differ in their noise only, in their order; what is trained is trained once, on clean data."""
    task, noises = levels[0].task, [level.noise for level in levels]
    if model.policy == CHARACTERS and not task.reads_characters:
        raise NoScoreError(f"The policy {CHARACTERS!r} is for taggers, and {task.name} trains none; choose another.")
    if model.reads_sentences and not task.reads_sentences:
        raise NoScoreError(f"The policy {model.policy!r} reads sentences, and {task.name} gives none; choose another.")
    if task.reads_sentences and any(noises):
        raise NoScoreError(f"The task {task.name} gives words in sentences and takes no corruption.")
    if task.corrupt is None and any(noises):
        raise NoScoreError(f"The task {task.name} is about misspelt words already and takes no corruption.")
    clean = task.load(*levels[0].files)
    if task.run_copies is None or not any(noises):
        for level in levels:
            yield _of_copies(model, level, clean, seed) if level.noise else Scored(task.run(model, clean, seed))
    else:
        copies = [copy_of(level, clean, seed) for level in levels]
        scores = task.run_copies(model, [data for data, _ in copies], seed)
        for (_, changed), found in zip(copies, scores, strict=True):
            yield Scored(found, changed)


def copy_of(level: Benchmark, clean: Any, seed: int) -> tuple[Any, float | None]:
    """What a piece asks, given its data as it is: a noisy copy, and the share of words that really changed."""
    if level.noise is None or level.task.corrupt is None:
        return clean, None
    return level.task.corrupt(clean, level.noise, seed)


def _of_copies(model: EvaluatedModel, level: Benchmark, clean: Any, seed: int) -> Scored:
    copies = [copy_of(level, clean, seed + number) for number in range(COPIES)]
    changed = [share or 0.0 for _, share in copies]
    return Scored(mean_of([level.task.run(model, data, seed) for data, _ in copies]), float(np.mean(changed)))


def mean_of(runs: Sequence[Scores]) -> Scores:
    """The mean of scores on several copies, with the standard deviation over the copies.

    A score that one of them does not have has no mean.
    """
    values: dict[str, float | None] = {}
    spread: dict[str, float] = {}
    for name in runs[0].values:
        found = [run.values[name] for run in runs]
        numbers = [value for value in found if value is not None]
        values[name] = None
        if len(numbers) == len(found):
            values[name], spread[name] = float(np.mean(numbers)), float(np.std(numbers))
    sections = {
        part: {name: float(np.mean([run.sections[part][name] for run in runs])) for name in scores}
        for part, scores in runs[0].sections.items()
    }
    n, known = (round(float(np.mean(counts))) for counts in zip(*((run.n, run.known) for run in runs), strict=True))
    return Scores(values, n, known, spread, len(runs), sections)
