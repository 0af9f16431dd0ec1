"""Kept results as one table: models as rows, tasks as columns, a mean only over what all its parts have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from everyword import registry
from everyword.evaluation.data_sets import DATA_SETS
from everyword.evaluation.results import Result
from everyword.evaluation.robustness.noise import Noise, name_under

MEAN = "mean"
OTHER_COPY = "*"
"""Marks scores made with a copy of the data that is not the catalogue's."""


@dataclass(frozen=True)
class Board:
    """Rows and columns by name, and the cells as numbers."""

    columns: Sequence[str]
    rows: Sequence[str]
    cells: dict[tuple[str, str], float]
    marked: frozenset[tuple[str, str]]

    def text(self, row: str, column: str) -> str:
        """A cell for reading."""
        value = self.cells.get((row, column))
        return "–" if value is None else f"{value:.1f}{OTHER_COPY if (row, column) in self.marked else ''}"


def board(results: Iterable[Result]) -> Board:
    """The main scores; each task with two or more sets also gets a mean, over sets that are no part of another one."""
    results = list(results)
    cells = {(row_of(result), column_of(result)): value for result in results if (value := result.value) is not None}
    marked = frozenset((row_of(result), column_of(result)) for result in results if not result.data_expected)
    rows = sorted({row_of(result) for result in results})
    columns: list[str] = []
    for group in sorted({_group(result) for result in results}, key=_order):
        of_group = {result.data: column_of(result) for result in results if _group(result) == group}
        columns += [of_group[data] for data in sorted(of_group, key=_data_order)]
        counted = [column for data, column in of_group.items() if whole_of(data) not in of_group]
        if len(counted) > 1:
            columns.append(_column(*group, MEAN))
            for row in rows:
                values = [cells[row, column] for column in counted if (row, column) in cells]
                if len(values) == len(counted):
                    cells[row, columns[-1]] = sum(values) / len(values)
    return Board(columns, rows, cells, marked)


def as_markdown(table: Board) -> str:
    """For docs."""
    lines = [["model", *table.columns], ["---"] + ["--:"] * len(table.columns)]
    lines += [[row, *(table.text(row, column) for column in table.columns)] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + _footnote(table)


def as_text(table: Board) -> str:
    """For the terminal: models beside each other, because there are fewer of them than tasks."""
    lines = [["", *table.rows]]
    lines += [[column, *(table.text(row, column) for row in table.rows)] for column in table.columns]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
    ) + _footnote(table)


def as_record(table: Board) -> dict[str, dict[str, float | None]]:
    """For programs: row → column → number."""
    return {row: {column: _rounded(table.cells.get((row, column))) for column in table.columns} for row in table.rows}


FORMS: dict[str, Callable[[Board], str]] = {"plain": as_text, "markdown": as_markdown}


def row_of(result: Result) -> str:
    """What a result is a score of: a model under a policy, and what of its run was not as usual."""
    known = f" {result.model_sha256[:8]}" if result.model_sha256 else ""
    unusual = f", {result.candidates:,} candidates" if result.candidates_limited else ""
    unusual += f", seed {result.seed}" if result.seed else ""
    return f"{result.model}{known}, {result.policy}{unusual}"


Group = tuple[str, str, float]
"""What has a mean of its own: a task with its version, a corruption and its strength."""


def _group(result: Result) -> Group:
    return f"{result.task}.v{result.version}", result.corruption or "", result.strength


def column_of(result: Result) -> str:
    """What it is a score in: a task, with its version, on a data set, under noise or as it is."""
    return _column(*_group(result), result.data)


def _column(task: str, corruption: str, strength: float, data: str) -> str:
    return name_under(Noise(corruption, strength) if corruption else None, f"{task}/{data}")


def _order(group: Group) -> tuple[int, Group]:
    names = list(registry.tasks)
    return names.index(group[0]) if group[0] in names else len(names), group


def _data_order(data: str) -> tuple[int, str]:
    names = [data_set.name for data_set in DATA_SETS]
    return names.index(data) if data in names else len(names), data


def whole_of(data: str) -> str | None:
    """The set that a data set is a part of."""
    return next((data_set.part_of for data_set in DATA_SETS if data_set.name == data), None)


def _footnote(table: Board) -> str:
    return f"\n\n{OTHER_COPY} made with another copy of the data than the catalogue's." if table.marked else ""


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
