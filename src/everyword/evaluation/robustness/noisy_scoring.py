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
    """The scores of one step, and the share of words that noise really changed (None for clean data)."""

    scores: Scores
    changed: float | None = None


def score_levels(way: EvaluatedModel, steps: Sequence[Benchmark], seed: int) -> Iterator[Scored]:
    """Score steps that differ in their noise only, in their order; what is trained is trained once, on clean data."""
    task, noises = steps[0].task, [step.noise for step in steps]
    if way.policy == CHARACTERS and not task.reads_characters:
        raise NoScoreError(f"The policy {CHARACTERS!r} is for taggers, and {task.name} trains none; choose another.")
    if way.reads_sentences and not task.reads_sentences:
        raise NoScoreError(f"The policy {way.policy!r} reads sentences, and {task.name} gives none; choose another.")
    if task.reads_sentences and any(noises):
        raise NoScoreError(f"The task {task.name} gives words in sentences and takes no corruption.")
    if task.corrupt is None and any(noises):
        raise NoScoreError(f"The task {task.name} is about misspelt words already and takes no corruption.")
    clean = task.load(*steps[0].files)
    if task.run_copies is None or not any(noises):
        for step in steps:
            yield _of_copies(way, step, clean, seed) if step.noise else Scored(task.run(way, clean, seed))
    else:
        copies = [copy_of(step, clean, seed) for step in steps]
        scores = task.run_copies(way, [data for data, _ in copies], seed)
        for (_, changed), found in zip(copies, scores, strict=True):
            yield Scored(found, changed)


def copy_of(step: Benchmark, clean: Any, seed: int) -> tuple[Any, float | None]:
    """What a piece asks, given its data as it is: a noisy copy, and the share of words that really changed."""
    if step.noise is None or step.task.corrupt is None:
        return clean, None
    return step.task.corrupt(clean, step.noise, seed)


def _of_copies(way: EvaluatedModel, step: Benchmark, clean: Any, seed: int) -> Scored:
    copies = [copy_of(step, clean, seed + number) for number in range(COPIES)]
    changed = [share or 0.0 for _, share in copies]
    return Scored(mean_of([step.task.run(way, data, seed) for data, _ in copies]), float(np.mean(changed)))


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
