"""Benchmarks: a task on a data set, which is the unit that is named, run and saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from everyword import registry
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.evaluation.catalogue import DATA_SETS, DataSet, data_folder, find
from everyword.evaluation.robustness.noise import Noise, name_under
from everyword.evaluation.task import Task
from everyword.evaluation.tasks import held_out
from everyword.files import checksum_of_all

EVERYTHING = "all"
HELD_OUT = (held_out.TASK.name, held_out.TASK.full_name)


@dataclass(frozen=True)
class Benchmark:
    """A task on a data set that is available."""

    task: Task
    data: str
    files: tuple[Path, ...]
    origin: str
    """Where the data was found, for the record."""
    sha256: str
    expected: bool = True
    """Whether the data is the catalogue's copy."""
    named: bool = True
    """Whether it was requested by its full name; then an error is raised where others are skipped."""
    reverse: bool = False
    """Whether a file of translations is read from its second language to its first."""
    noise: Noise | None = None
    """What is put into the words of the data; None for clean data."""

    @property
    def name(self) -> str:
        """Task, data set and noise, as users type it."""
        return name_under(self.noise, f"{self.task.name}/{self.data}")

    def load(self) -> Any:
        """Read the data."""
        return self.task.load(*self.files, **({"reverse": True} if self.reverse else {}))


@dataclass(frozen=True)
class MissingData:
    """A benchmark that was requested as one of many, and whose data set was not found."""

    name: str
    reason: str


def known_tasks() -> list[Task]:
    """Return all registered tasks."""
    return [registry.tasks.get(name) for name in registry.tasks]


def choose(
    names: Sequence[str],
    data: Path | None = None,
    *,
    held_out: Path | None = None,
    teacher: Path | None = None,
    target: Path | None = None,
) -> list[Benchmark | MissingData]:
    """Return the benchmarks of these names, each once, in the order of the registry.

    Args:
        names: "all", tasks, data sets, or both as in "similarity/rareword". "all" excludes tasks that train networks or
            give sentences, and those that need a second table.
        data: The data folder; None for the one in EVERYWORD_DATA.
        held_out: A list of held-out words, one per line, for the task "held-out".
        teacher: The vector file from which these words were held out.
        target: The vector file of the other language, for the task "lexicon-induction".

    Returns:
        The benchmarks, and which of them have no data.

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the data set of a benchmark with a full name is missing, or all data sets are.
    """
    folder = data_folder(data)
    held = _held_out_benchmark(held_out, teacher)
    pairs = [(task, data_set) for task in known_tasks() for data_set in DATA_SETS if data_set.kind == task.kind]
    _check_names(names, pairs, held)
    chosen = [_benchmark(*pair, folder, names, target) for pair in pairs if not set(names).isdisjoint(_names(*pair))]
    if held and not set(names).isdisjoint((*HELD_OUT, EVERYTHING, held.name)):
        chosen.append(held)
    missing = [benchmark for benchmark in chosen if isinstance(benchmark, MissingData)]
    if missing and len(missing) == len(chosen):
        raise InputError(missing[0].reason)
    return chosen


def under_noises(
    benchmarks: Iterable[Benchmark | MissingData], noises: Sequence[Noise | None]
) -> list[Benchmark | MissingData]:
    """Return each benchmark under each noise; None is clean data."""
    found: list[Benchmark | MissingData] = []
    for one in benchmarks:
        found += [one] if isinstance(one, MissingData) else [replace(one, noise=noise) for noise in noises]
    return found


def _check_names(names: Sequence[str], pairs: Sequence[tuple[Task, DataSet]], held: Benchmark | None) -> None:
    known = {EVERYTHING, *HELD_OUT, *(name for pair in pairs for name in _names(*pair))}
    known |= {held.name} if held else set()
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise UnknownNameError(f"There is no task {unknown!r}: {did_you_mean(unknown, known)}")
    if held is None and not set(names).isdisjoint(HELD_OUT):
        raise InputError("The task 'held-out' needs held-out words and their teacher: give --held-out and --teacher.")


def _names(task: Task, data: DataSet) -> tuple[str, ...]:
    names = task.name, task.full_name, data.name, f"{task.name}/{data.name}"
    return names if task.by_name_only else (EVERYTHING, *names)


def _benchmark(
    task: Task, data: DataSet, folder: Path | None, requested: Sequence[str], target: Path | None
) -> Benchmark | MissingData:
    name = f"{task.name}/{data.name}"
    if task.needs_target and (target is None or not target.is_file()):
        seen = "" if target is None else f" There is no file {target}."
        raise InputError(f"The task {task.name!r} searches in the vectors of another language: give --target.{seen}")
    try:
        file = find(data, folder)
    except InputError as error:
        if name in requested:
            raise
        return MissingData(name, str(error))
    found = Benchmark(task, data.name, (file.path,), file.origin, file.sha256, file.expected, name in requested)
    if not task.needs_target or target is None:
        return found
    files, origin = (file.path, target), f"{file.origin}; target: {target.name}"
    return replace(found, files=files, origin=origin, sha256=checksum_of_all(files), reverse=data.reverse)


def _held_out_benchmark(words: Path | None, teacher: Path | None) -> Benchmark | None:
    if words is None and teacher is None:
        return None
    if words is None or teacher is None:
        raise InputError("Held-out words need both a list and a teacher: give --held-out and --teacher.")
    for path in (words, teacher):
        if not path.is_file():
            raise InputError(f"There is no file {path}; check the path.")
    name, origin = words.name.partition(".")[0], f"files: {words.name}, {teacher.name}"
    return Benchmark(held_out.TASK, name, (words, teacher), origin, checksum_of_all((words, teacher)))
