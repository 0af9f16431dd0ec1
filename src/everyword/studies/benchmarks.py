"""How a study names benchmarks: TASK/DATA, TASK/DATA@NOISE and TASK/DATA#SCORE.

"tagging/bc2gm@typo-70" is scored under noise, "pos/ud-ewt#accuracy_unseen" by another score than the main one. A name
may have both, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from everyword import registry
from everyword.errors import EverywordError, InputError
from everyword.evaluation.benchmark import Benchmark, MissingData, choose, known_tasks
from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.evaluated_model import GIVING_VECTORS, EvaluatedModel
from everyword.evaluation.results import Result
from everyword.evaluation.robustness.noise import PUBLISHED, Noise, read_noise
from everyword.evaluation.run import evaluate
from everyword.evaluation.tasks.extrinsic.tasks import published_file
from everyword.studies.claims import Row, Score


def base_of(name: str) -> str:
    """Return the task and its data set alone.

    >>> base_of("tagging/bc2gm@typo-70#recall")
    'tagging/bc2gm'
    """
    return re.split("[@#]", name)[0]


def is_network(name: str) -> bool:
    """Whether a benchmark trains a network on the vectors.

    >>> is_network("classification/sst2@published-70"), is_network("similarity/rareword")
    (True, False)
    """
    return base_of(name) in known_benchmarks(slow=True)


def _noise_of(name: str) -> Noise | None:
    _, at, noise = name.partition("#")[0].partition("@")
    return read_noise(noise) if at else None


def find_benchmark(name: str, data: Path | None) -> Benchmark | MissingData:
    """Return a benchmark if its data is there, with its noisy copy where that is published."""
    try:
        [benchmark] = choose([base_of(name)], data)
        noise = _noise_of(name)
        if isinstance(benchmark, Benchmark) and noise and noise.corruption == PUBLISHED:
            published_file(benchmark.files[0], noise)
    except InputError as error:
        return MissingData(name, str(error))
    return benchmark if isinstance(benchmark, MissingData) else replace(benchmark, named=False, noise=noise)


def find_benchmarks(
    names: Iterable[str], data: Path | None, report: Callable[[str], None], *, required: bool = False
) -> dict[str, Benchmark | MissingData]:
    """Return benchmarks by name, and report those whose data is missing; if required, they must not all be."""
    found = {name: find_benchmark(name, data) for name in names}
    missing = [benchmark for benchmark in found.values() if isinstance(benchmark, MissingData)]
    if required and len(missing) == len(found):
        raise InputError(missing[0].reason)
    for benchmark in missing:
        report(f"{benchmark.name}: skipped. {benchmark.reason}")
    return found


def score_row(
    model: EvaluatedModel,
    benchmarks: Mapping[str, Benchmark | MissingData],
    results: Path,
    report: Callable[[str], None],
) -> Row:
    """Score a model on benchmarks, each result saved at once; None where data or a score is missing."""
    row: dict[str, Score | None] = dict.fromkeys(benchmarks)
    for name, benchmark in benchmarks.items():
        if isinstance(benchmark, MissingData):
            continue
        [outcome] = evaluate(model, [benchmark], save_to=results)
        if outcome.result is None:
            report(f"{name}: skipped. {outcome.reason}")
        else:
            row[name] = score_in(outcome.result, name)
    return row


def score_in(result: Result, name: str) -> Score | None:
    """Return the score of a result that the name of a benchmark asks for, with its spread."""
    score = score_name(name, result.main, result.scores)
    value, items = result.scores[score], result.known if score.endswith("_known") else result.n
    return None if value is None else Score(value, result.spread.get(score), result.changed, n=items)


def score_name(name: str, main: str, scores: Collection[str]) -> str:
    """Return which score the name of a benchmark asks for: the one behind "#", or the main one."""
    score = name.partition("#")[2] or main
    if score not in scores:
        raise InputError(f"{name} has no score {score!r}; choose from {', '.join(scores)}.")
    return score


def name_problems(name: str) -> Iterator[str]:
    """Yield what is wrong with the noise in the name of a benchmark."""
    try:
        noise = _noise_of(name)
    except EverywordError as error:
        yield f"{name!r} cannot be read: {error}"
        return
    if noise is None:
        return
    if name.partition("/")[0] in {task.name for task in known_tasks() if task.corrupt is None}:
        yield f"{name!r} is about misspelt words already and takes no noise"
    if noise.corruption == PUBLISHED and not name.startswith("classification/"):
        yield f"{name!r} has published noise, which only texts have"


def known_benchmarks(*, slow: bool | None = None) -> set[str]:
    """Return every task on every data set of its kind; slow ones train networks on the vectors.

    Tasks that give words in sentences are left out, since the models of a study cannot read these, and those that need
    a second table.
    """
    tasks = [task for task in known_tasks() if slow in (None, task.slow)]
    tasks = [task for task in tasks if not task.reads_sentences and not task.needs_target]
    return {f"{task.name}/{data.name}" for task in tasks for data in DATA_SETS if data.kind == task.kind}


def known_policies(teacher: bool) -> tuple[str, ...]:
    """Return the policies for a model, or for a table of vectors, which cannot infer any."""
    return tuple(registry.unknown_policies) if teacher else GIVING_VECTORS
