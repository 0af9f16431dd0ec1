"""Run benchmarks one after the other and save each result at once, so that a killed run can continue.

`evaluate_model` takes a model and a data folder and returns all results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from everyword.errors import InputError, NoScoreError
from everyword.evaluation import results
from everyword.evaluation.benchmark import EVERYTHING, Benchmark, MissingData, choose, under_noises
from everyword.evaluation.evaluated_model import (
    CHARACTERS,
    EvaluatedModel,
    evaluated_model,
    evaluated_table,
    open_evaluated,
)
from everyword.evaluation.results import Result
from everyword.evaluation.robustness.noise import Noise
from everyword.evaluation.scoreboard import Results
from everyword.evaluation.task import Scores
from everyword.models.model import Model
from everyword.space.scorer import COSINE, read_scorer
from everyword.vectors.table import VectorTable

COPIES = 3
"""The number of noisy copies, each with another seed, on which a task that trains nothing is scored."""


@dataclass(frozen=True)
class Outcome:
    """A benchmark with its result, or the reason why it has none."""

    benchmark: str
    result: Result | None = None
    reason: str = ""
    kept_before: bool = False
    """Whether the result was made by an earlier run."""


def evaluate_model(
    model: EvaluatedModel | Model | VectorTable | Path | str | None,
    data: Path | str | None = None,
    tasks: str | Sequence[str] | None = None,
    *,
    policy: str | None = None,
    noises: Sequence[Noise | None] = (None,),
    candidates: int | None = None,
    scorer: str = COSINE,
    held_out: Path | str | None = None,
    teacher: Path | str | None = None,
    target: Path | str | None = None,
    save_to: Path | str | None = None,
    seed: int = 0,
    overwrite: bool = False,
) -> Results:
    """Score a model on all benchmarks whose data sets are available.

    Args:
        model: A model or a table of vectors, or the name, folder, hub id or vector file of one; None for the default.
        data: The data folder; None for the one in EVERYWORD_DATA.
        tasks: A task, a data set, or both as in "similarity/rareword", or several of them; None for all tasks that
            train nothing.
        policy: How unknown words get vectors, as in `everyword evaluate --policy`; None for the usual one.
        noises: Errors to put into the words of the data; None is clean data.
        candidates: Search for answers among this many known words only.
        scorer: How words are compared, as in `everyword evaluate --scorer`.
        held_out: A file of held-out words, one per line, for the task "held-out".
        teacher: The vector file from which these words were held out.
        target: The vector file of the other language, for the task "lexicon-induction".
        save_to: A folder for the results; a result that it already has is not computed again.
        seed: The seed of everything that depends on chance.
        overwrite: Whether to compute results that `save_to` already has.

    Returns:
        The results, and the reasons why some benchmarks have none.

    Raises:
        InputError: If the data sets of all tasks, or of one with its full name, are missing.
        UnknownNameError: If there is no such task or model.
    """
    evaluated = _evaluated(model, policy, candidates).compared_by(read_scorer(scorer))
    folder, held, table, other, saved = (
        None if path is None else Path(path) for path in (data, held_out, teacher, target, save_to)
    )
    names = [tasks] if isinstance(tasks, str) else tasks or [EVERYTHING]
    chosen = under_noises(choose(names, folder, held_out=held, teacher=table, target=other), noises)
    outcomes = list(evaluate(evaluated, chosen, save_to=saved, seed=seed, overwrite=overwrite))
    found = tuple(outcome.result for outcome in outcomes if outcome.result is not None)
    return Results(found, {outcome.benchmark: outcome.reason for outcome in outcomes if outcome.result is None})


def _evaluated(
    model: EvaluatedModel | Model | VectorTable | Path | str | None, policy: str | None, candidates: int | None
) -> EvaluatedModel:
    if isinstance(model, EvaluatedModel):
        if policy is not None or candidates is not None:
            raise InputError("An EvaluatedModel has a policy and candidates already; give neither.")
        return model
    if isinstance(model, VectorTable):
        return evaluated_table(model, "table", policy or "zero", candidates=candidates)
    if model is None or isinstance(model, str | Path):
        return open_evaluated(None if model is None else str(model), policy, candidates=candidates)
    return evaluated_model(model, policy or "encode", candidates=candidates)


def evaluate(
    model: EvaluatedModel,
    benchmarks: Iterable[Benchmark | MissingData],
    *,
    save_to: Path | None = None,
    seed: int = 0,
    overwrite: bool = False,
    items: bool = False,
) -> Iterator[Outcome]:
    """Run each benchmark unless its result is already saved.

    Adjacent benchmarks that differ in their noise only form a curve: networks are trained once for all of them.

    Args:
        model: What gives the vectors.
        benchmarks: What `choose` returned.
        save_to: A folder for the results, each saved as soon as it is there; None to save nothing.
        seed: The seed of everything that depends on chance.
        overwrite: Whether to compute results that are already saved.
        items: Whether to keep the results of single items, of tasks that have any.

    Yields:
        Each benchmark with its result, or with the reason why it has none.

    Raises:
        NoScoreError: If a benchmark that was requested by its full name cannot score this model.
    """
    for _, curve in groupby(benchmarks, key=_without_noise):
        open_levels = []
        for level in curve:
            if isinstance(level, MissingData):
                yield Outcome(level.name, reason=level.reason)
                continue
            path = results.result_path(save_to, model, level, seed) if save_to is not None else None
            saved = None if overwrite or path is None else _saved(path)
            if saved is not None and saved.answers(model, level, seed) and (bool(saved.items) or not items):
                yield Outcome(level.name, saved, kept_before=True)
            else:
                open_levels.append(level)
        # What trains nothing goes step by step, and so is kept sooner.
        together = [open_levels] if open_levels and open_levels[0].task.run_copies else [[one] for one in open_levels]
        for levels in together:
            yield from _compute(model, levels, save_to, seed, items)


def _without_noise(benchmark: Benchmark | MissingData) -> Benchmark | MissingData:
    return benchmark if isinstance(benchmark, MissingData) else replace(benchmark, noise=None)


def _compute(
    model: EvaluatedModel, levels: Sequence[Benchmark], save_to: Path | None, seed: int, items: bool
) -> Iterator[Outcome]:
    try:
        for level, result in zip(levels, run_levels(model, levels, seed, items), strict=True):
            if save_to is not None:
                results.write(results.result_path(save_to, model, level, seed), result)
            yield Outcome(level.name, result)
    except NoScoreError as error:
        if levels[0].named:
            raise
        yield from (Outcome(level.name, reason=str(error)) for level in levels)


def _saved(path: Path) -> Result | None:
    try:
        return results.read(path)
    except (InputError, FileNotFoundError):
        return None  # damaged or of another schema: made again


def run_benchmark(model: EvaluatedModel, benchmark: Benchmark, seed: int = 0) -> Result:
    """Score one benchmark.

    Args:
        model: What gives the vectors.
        benchmark: One of those that `choose` returned.
        seed: The seed of everything that depends on chance.

    Returns:
        The scores, with everything needed to read them later.

    Raises:
        NoScoreError: If the benchmark cannot score this model.
    """
    [result] = run_levels(model, [benchmark], seed)
    return result


def run_levels(
    model: EvaluatedModel, levels: Sequence[Benchmark], seed: int = 0, items: bool = False
) -> Iterator[Result]:
    """Score one benchmark under several noises, with separate times for encoding and scoring.

    Where networks are trained once for all levels, the first result has the whole time.
    """
    start, encoded = perf_counter(), model.encode_seconds
    for level, scores in zip(levels, score_levels(model, levels, seed), strict=True):
        encode_seconds = model.encode_seconds - encoded
        score_seconds = perf_counter() - start - encode_seconds
        bad = [name for name, value in scores.values.items() if value is not None and not isfinite(value)]
        if bad:
            raise InputError(f"{level.name} gives {model.name} no finite score for {', '.join(bad)}; please report it.")
        times = {"encode_seconds": encode_seconds, "score_seconds": score_seconds}
        yield results.make(model, level, seed, scores, **times, items=items)
        start, encoded = perf_counter(), model.encode_seconds


def score_levels(model: EvaluatedModel, levels: Sequence[Benchmark], seed: int) -> Iterator[Scores]:
    """Score levels that differ in their noise only, in their order; networks are trained once, on clean data."""
    task, noises = levels[0].task, [level.noise for level in levels]
    if model.policy == CHARACTERS and not task.reads_characters:
        told = f"is for taggers and classifiers, and {task.name} trains none; choose another"
        raise NoScoreError(f"The policy {CHARACTERS!r} {told}.")
    if model.reads_sentences and not task.reads_sentences:
        raise NoScoreError(f"The policy {model.policy!r} reads sentences, and {task.name} gives none; choose another.")
    if model.scorer is not None and not task.takes_scorers:
        raise NoScoreError(f"The task {task.name} compares words by cosine only; leave out the scorer.")
    if task.reads_sentences and any(noises):
        raise NoScoreError(f"The task {task.name} gives words in sentences and takes no corruption.")
    if task.corrupt is None and any(noises):
        raise NoScoreError(f"The task {task.name} takes no corruption: its words are misspelt already, or the model's.")
    clean = levels[0].load()
    if task.run_copies is None or not any(noises):
        for level in levels:
            yield _mean_of_copies(model, level, clean, seed) if level.noise else task.run(model, clean, seed)
    else:
        copies = [copy_of(level, clean, seed) for level in levels]
        scores = task.run_copies(model, [data for data, _ in copies], seed)
        for (_, changed), found in zip(copies, scores, strict=True):
            yield replace(found, changed=changed)


def copy_of(level: Benchmark, clean: Any, seed: int) -> tuple[Any, float | None]:
    """Return the data of a benchmark with its noise, and the share of words that really changed."""
    if level.noise is None or level.task.corrupt is None:
        return clean, None
    return level.task.corrupt(clean, level.noise, seed)


def _mean_of_copies(model: EvaluatedModel, level: Benchmark, clean: Any, seed: int) -> Scores:
    copies = [copy_of(level, clean, seed + number) for number in range(COPIES)]
    mean = mean_of([level.task.run(model, data, seed) for data, _ in copies])
    return replace(mean, changed=float(np.mean([share or 0.0 for _, share in copies])))


def mean_of(runs: Sequence[Scores]) -> Scores:
    """Return the mean of scores on several copies, with the standard deviation over the copies.

    A score that is missing for one copy has no mean.
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
