"""A piece: one task on one data set, the unit that is named, run, kept and not run again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from everyword import registry
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.evaluation.catalogue import data_folder, find
from everyword.evaluation.data_sets import DATA_SETS, DataSet
from everyword.evaluation.robustness.noise import Noise, name_under
from everyword.evaluation.task import Task
from everyword.evaluation.tasks import held_out
from everyword.files import checksum_of_all

EVERYTHING = "all"
HELD_OUT = (held_out.TASK.name, held_out.TASK.full_name)


@dataclass(frozen=True)
class Benchmark:
    """One task on one data set that is at hand."""

    task: Task
    data: str
    files: tuple[Path, ...]
    origin: str
    sha256: str
    expected: bool = True
    """Whether the data is the copy of the catalogue."""
    named: bool = True
    """Whether it was asked for by its full name, so that it must not be passed over."""
    noise: Noise | None = None
    """What is put into the words that it asks about; None for the data as it is."""

    @property
    def name(self) -> str:
        """Task and data set, as one types it, and the noise."""
        return name_under(self.noise, f"{self.task.name}/{self.data}")


@dataclass(frozen=True)
class MissingData:
    """A piece that was asked for as one of many and whose data is not at hand."""

    name: str
    reason: str


def known_tasks() -> list[Task]:
    """All registered tasks."""
    return [registry.tasks.get(name) for name in registry.tasks]


def choose(
    names: Sequence[str], data: Path | None = None, *, words: Path | None = None, teacher: Path | None = None
) -> list[Benchmark | MissingData]:
    """The pieces that names stand for: "all", a task, a data set, or both as in "similarity/rareword".

    "all" are those that train nothing and give no sentences; a task that does is asked for by name.

    They come in the order of the registry, each once. A data set that is missing is an error if it was named in full,
    or if nothing else was found.
    """
    folder = data_folder(data)
    held = _held_out_benchmark(words, teacher)
    pairs = [(task, data_set) for task in known_tasks() for data_set in DATA_SETS if data_set.kind == task.kind]
    _check_names(names, pairs, held)
    chosen = [_benchmark(*pair, folder, names) for pair in pairs if not set(names).isdisjoint(_names(*pair))]
    if held and not set(names).isdisjoint((*HELD_OUT, EVERYTHING, held.name)):
        chosen.append(held)
    absent = [benchmark for benchmark in chosen if isinstance(benchmark, MissingData)]
    if absent and len(absent) == len(chosen):
        raise InputError(absent[0].reason)
    return chosen


def under_noises(
    benchmarks: Iterable[Benchmark | MissingData], noises: Sequence[Noise | None]
) -> list[Benchmark | MissingData]:
    """Each piece under each noise; None is the data as it is."""
    return [
        step
        for benchmark in benchmarks
        for step in (
            [benchmark] if isinstance(benchmark, MissingData) else [replace(benchmark, noise=noise) for noise in noises]
        )
    ]


def _check_names(names: Sequence[str], pairs: Sequence[tuple[Task, DataSet]], held: Benchmark | None) -> None:
    known = {
        EVERYTHING,
        *HELD_OUT,
        *(name for pair in pairs for name in _names(*pair)),
        held.name if held else EVERYTHING,
    }
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise UnknownNameError(f"There is no task {unknown!r}: {did_you_mean(unknown, known)}")
    if held is None and not set(names).isdisjoint(HELD_OUT):
        raise InputError("The task 'held-out' needs words and their teacher: give --words and --teacher.")


def _names(task: Task, data: DataSet) -> tuple[str, ...]:
    names = task.name, task.full_name, data.name, f"{task.name}/{data.name}"
    return names if task.by_name_only else (EVERYTHING, *names)


def _benchmark(task: Task, data: DataSet, folder: Path | None, asked: Sequence[str]) -> Benchmark | MissingData:
    name = f"{task.name}/{data.name}"
    try:
        found = find(data, folder)
    except InputError as error:
        if name in asked:
            raise
        return MissingData(name, str(error))
    return Benchmark(task, data.name, (found.path,), found.origin, found.sha256, found.expected, named=name in asked)


def _held_out_benchmark(words: Path | None, teacher: Path | None) -> Benchmark | None:
    if words is None and teacher is None:
        return None
    if words is None or teacher is None:
        raise InputError("Held-out words need both a list and a teacher: give --words and --teacher.")
    for path in (words, teacher):
        if not path.is_file():
            raise InputError(f"There is no file {path}; check the path.")
    both = checksum_of_all((words, teacher))
    origin = f"files: {words.name}, {teacher.name}"
    return Benchmark(held_out.TASK, words.name.partition(".")[0], (words, teacher), origin, both)
