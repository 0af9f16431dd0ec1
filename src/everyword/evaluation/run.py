"""Run pieces one after the other and keep each result at once, so that a killed run goes on where it stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import isfinite
from pathlib import Path
from time import perf_counter

from everyword.errors import InputError, NoScoreError
from everyword.evaluation import results
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.results import Result
from everyword.evaluation.robustness.noisy_scoring import score_levels


@dataclass(frozen=True)
class Outcome:
    """A piece with its result, or the reason why it has none."""

    benchmark: str
    result: Result | None = None
    reason: str = ""
    kept_before: bool = False
    """Whether the result was made by an earlier run."""


def evaluate(
    model: EvaluatedModel,
    benchmarks: Iterable[Benchmark | MissingData],
    *,
    save_to: Path | None = None,
    seed: int = 0,
    overwrite: bool = False,
) -> Iterator[Outcome]:
    """Run each piece, unless a result of the very same is kept.

    Neighbours that differ in their noise only are one curve: what is trained is trained once for all of them.
    """
    for _, curve in groupby(benchmarks, key=_without_noise):
        wanted = []
        for level in curve:
            if isinstance(level, MissingData):
                yield Outcome(level.name, reason=level.reason)
                continue
            path = results.result_path(save_to, model, level, seed) if save_to is not None else None
            kept = None if overwrite or path is None else _kept(path)
            if kept is not None and kept.answers(model, level, seed):
                yield Outcome(level.name, kept, kept_before=True)
            else:
                wanted.append(level)
        # What trains nothing goes level by level, and so is kept sooner.
        together = [wanted] if wanted and wanted[0].task.run_copies else [[level] for level in wanted]
        for levels in together:
            yield from _make(model, levels, save_to, seed)


def _without_noise(benchmark: Benchmark | MissingData) -> Benchmark | MissingData:
    return benchmark if isinstance(benchmark, MissingData) else replace(benchmark, noise=None)


def _make(model: EvaluatedModel, levels: Sequence[Benchmark], save_to: Path | None, seed: int) -> Iterator[Outcome]:
    try:
        for level, result in zip(levels, run_levels(model, levels, seed), strict=True):
            if save_to is not None:
                results.keep(results.result_path(save_to, model, level, seed), result)
            yield Outcome(level.name, result)
    except NoScoreError as error:
        if levels[0].named:
            raise
        yield from (Outcome(level.name, reason=str(error)) for level in levels)


def run_benchmark(model: EvaluatedModel, benchmark: Benchmark, seed: int = 0) -> Result:
    """Score one piece."""
    [result] = run_levels(model, [benchmark], seed)
    return result


def run_levels(model: EvaluatedModel, levels: Sequence[Benchmark], seed: int = 0) -> Iterator[Result]:
    """Score one piece under several noises, with the time for vectors and for scoring apart.

    The first result of what is trained once for all has the time of all.
    """
    start, encoded = perf_counter(), model.encode_seconds
    for level, scored in zip(levels, score_levels(model, levels, seed), strict=True):
        encode_seconds = model.encode_seconds - encoded
        score_seconds = perf_counter() - start - encode_seconds
        bad = [name for name, value in scored.scores.values.items() if value is not None and not isfinite(value)]
        if bad:
            raise InputError(f"{level.name} gives {model.name} no finite score for {', '.join(bad)}; please report it.")
        yield results.make(model, level, seed, scored, encode_seconds=encode_seconds, score_seconds=score_seconds)
        start, encoded = perf_counter(), model.encode_seconds


def _kept(path: Path) -> Result | None:
    try:
        return results.read(path)
    except (InputError, FileNotFoundError):
        return None  # damaged or of another schema: made again
