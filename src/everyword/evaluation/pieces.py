"""A piece: one task on one data set, the unit that is named, run, kept and not run again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword import registry
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.evaluation import held_out
from everyword.evaluation.catalogue import DATA_SETS, DataSet, data_folder, find
from everyword.evaluation.task import Task
from everyword.files import checksum

EVERYTHING = "all"


@dataclass(frozen=True)
class Piece:
    """One task on one data set that is at hand."""

    task: Task
    data: str
    files: tuple[Path, ...]
    place: str
    sha256: str
    expected: bool = True
    """Whether the data is the copy of the catalogue."""
    named: bool = True
    """Whether it was asked for by its full name, so that it must not be passed over."""

    @property
    def name(self) -> str:
        """Task and data set, as one types it."""
        return f"{self.task.name}/{self.data}"


@dataclass(frozen=True)
class Absent:
    """A piece that was asked for as one of many and whose data is not at hand."""

    name: str
    reason: str


def known_tasks() -> list[Task]:
    """All registered tasks."""
    return [registry.tasks.get(name) for name in registry.tasks]


def choose(
    names: Sequence[str], data: Path | None = None, *, words: Path | None = None, teacher: Path | None = None
) -> list[Piece | Absent]:
    """The pieces that names stand for: "all", a task, a data set, or both as in "similarity/rareword".

    A data set that is missing is an error if it was named in full, or if nothing else was found.
    """
    folder = data_folder(data)
    everything = [(task, data_set) for task in known_tasks() for data_set in DATA_SETS if data_set.kind == task.kind]
    held = _held_out_piece(words, teacher)
    chosen: list[Piece | Absent] = []
    for name in names:
        of_catalogue = [pair for pair in everything if name in _names(*pair)]
        if not of_catalogue and not (name in _held_out_names() or (held and name == held.name)):
            raise UnknownNameError(f"There is no task {name!r}: {did_you_mean(name, _all_names(everything))}")
        chosen += [_piece(task, data_set, folder, name) for task, data_set in of_catalogue]
        if name in {*_held_out_names(), held.name if held else ""}:
            if held:
                chosen.append(held)
            elif name != EVERYTHING:
                raise InputError("The task 'held-out' needs words and their teacher: give --words and --teacher.")
    unique = list({piece.name: piece for piece in chosen}.values())
    if not any(isinstance(piece, Piece) for piece in unique):
        first = next(piece for piece in unique if isinstance(piece, Absent))
        raise InputError(first.reason)
    return unique


def _names(task: Task, data: DataSet) -> tuple[str, ...]:
    return EVERYTHING, task.name, task.full_name, data.name, f"{task.name}/{data.name}"


def _held_out_names() -> tuple[str, ...]:
    return EVERYTHING, held_out.TASK.name, held_out.TASK.full_name


def _all_names(everything: Sequence[tuple[Task, DataSet]]) -> Iterator[str]:
    yield from dict.fromkeys(name for pair in everything for name in _names(*pair) if ".v" not in name)
    yield held_out.TASK.name


def _piece(task: Task, data: DataSet, folder: Path | None, asked: str) -> Piece | Absent:
    name = f"{task.name}/{data.name}"
    try:
        found = find(data, folder)
    except InputError as error:
        if asked == name:
            raise
        return Absent(name, str(error))
    return Piece(task, data.name, (found.path,), found.place, found.sha256, found.expected, named=asked == name)


def _held_out_piece(words: Path | None, teacher: Path | None) -> Piece | None:
    if words is None and teacher is None:
        return None
    if words is None or teacher is None:
        raise InputError("Held-out words need both a list and a teacher: give --words and --teacher.")
    for path in (words, teacher):
        if not path.is_file():
            raise InputError(f"There is no file {path}; check the path.")
    both = hashlib.sha256("".join(map(checksum, (words, teacher))).encode()).hexdigest()
    place = f"files: {words.name}, {teacher.name}"
    return Piece(held_out.TASK, words.name.partition(".")[0], (words, teacher), place, both)
