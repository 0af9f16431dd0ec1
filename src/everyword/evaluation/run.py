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
class Done:
    """A piece with its result, or the reason why it has none."""

    piece: str
    result: Result | None = None
    reason: str = ""
    kept_before: bool = False
    """Whether the result was made by an earlier run."""


def evaluate(
    way: EvaluatedModel,
    pieces: Iterable[Benchmark | MissingData],
    *,
    keep_in: Path | None = None,
    seed: int = 0,
    overwrite: bool = False,
) -> Iterator[Done]:
    """Run each piece, unless a result of the very same is kept.

    Neighbours that differ in their noise only are one curve: what is trained is trained once for all of them.
    """
    for _, curve in groupby(pieces, key=_without_noise):
        wanted = []
        for step in curve:
            if isinstance(step, MissingData):
                yield Done(step.name, reason=step.reason)
                continue
            path = results.place_of(keep_in, way, step, seed) if keep_in is not None else None
            kept = None if overwrite or path is None else _kept(path)
            if kept is not None and kept.answers(way, step, seed):
                yield Done(step.name, kept, kept_before=True)
            else:
                wanted.append(step)
        # What trains nothing goes step by step, and so is kept sooner.
        together = [wanted] if wanted and wanted[0].task.run_copies else [[step] for step in wanted]
        for steps in together:
            yield from _make(way, steps, keep_in, seed)


def _without_noise(piece: Benchmark | MissingData) -> Benchmark | MissingData:
    return piece if isinstance(piece, MissingData) else replace(piece, noise=None)


def _make(way: EvaluatedModel, steps: Sequence[Benchmark], keep_in: Path | None, seed: int) -> Iterator[Done]:
    try:
        for step, result in zip(steps, run_steps(way, steps, seed), strict=True):
            if keep_in is not None:
                results.keep(results.place_of(keep_in, way, step, seed), result)
            yield Done(step.name, result)
    except NoScoreError as error:
        if steps[0].named:
            raise
        yield from (Done(step.name, reason=str(error)) for step in steps)


def run_benchmark(way: EvaluatedModel, piece: Benchmark, seed: int = 0) -> Result:
    """Score one piece."""
    [result] = run_steps(way, [piece], seed)
    return result


def run_steps(way: EvaluatedModel, steps: Sequence[Benchmark], seed: int = 0) -> Iterator[Result]:
    """Score one piece under several noises, with the time for vectors and for scoring apart.

    The first result of what is trained once for all has the time of all.
    """
    start, encoded = perf_counter(), way.encode_seconds
    for step, scored in zip(steps, score_levels(way, steps, seed), strict=True):
        encode_seconds = way.encode_seconds - encoded
        score_seconds = perf_counter() - start - encode_seconds
        bad = [name for name, value in scored.scores.values.items() if value is not None and not isfinite(value)]
        if bad:
            raise InputError(f"{step.name} gives {way.name} no finite score for {', '.join(bad)}; please report it.")
        yield results.make(way, step, seed, scored, encode_seconds=encode_seconds, score_seconds=score_seconds)
        start, encoded = perf_counter(), way.encode_seconds


def _kept(path: Path) -> Result | None:
    try:
        return results.read(path)
    except (InputError, FileNotFoundError):
        return None  # damaged or of another schema: made again
