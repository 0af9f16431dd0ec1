"""Results as one table: models are rows, benchmarks are columns, and a mean needs all its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from everyword import registry
from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.results import Result
from everyword.evaluation.robustness.noise import Noise, name_under
from everyword.space.scorer import COSINE

MEAN = "mean"
OTHER_COPY = "*"
"""Marks scores on another copy of the data than the catalogue's."""


@dataclass(frozen=True)
class Board:
    """A table of scores: rows and columns by name, cells as numbers."""

    columns: Sequence[str]
    rows: Sequence[str]
    cells: dict[tuple[str, str], float]
    marked: frozenset[tuple[str, str]]

    def text(self, row: str, column: str) -> str:
        """Return a cell as text."""
        value = self.cells.get((row, column))
        return "–" if value is None else f"{value:.1f}{OTHER_COPY if (row, column) in self.marked else ''}"


def board(results: Iterable[Result]) -> Board:
    """Collect the main scores of results.

    A task with two or more data sets also gets a mean, over data sets that are not part of another one.

    Args:
        results: What `evaluate` or `read_all` returned.

    Returns:
        A table that `as_text`, `as_markdown` and `as_record` write.
    """
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
    """Return a table as Markdown, with models as rows.

    Args:
        table: What `board` returned.

    Returns:
        The lines of the table, and a footnote where it is needed.
    """
    lines = [["model", *table.columns], ["---"] + ["--:"] * len(table.columns)]
    lines += [[row, *(table.text(row, column) for column in table.columns)] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + _footnote(table)


def as_text(table: Board) -> str:
    """Return a table for the terminal, with models as columns, because there are fewer models than tasks."""
    lines = [["", *table.rows]]
    lines += [[column, *(table.text(row, column) for row in table.rows)] for column in table.columns]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
    ) + _footnote(table)


def as_record(table: Board) -> dict[str, dict[str, float | None]]:
    """Return a table for programs: row → column → number."""
    return {row: {column: _rounded(table.cells.get((row, column))) for column in table.columns} for row in table.rows}


FORMS: dict[str, Callable[[Board], str]] = {"plain": as_text, "markdown": as_markdown}


@dataclass(frozen=True)
class Results:
    """The results of an evaluation, and the benchmarks that have none."""

    results: tuple[Result, ...]
    missing: Mapping[str, str]
    """Benchmarks without a result, such as those whose data sets were not found, each with the reason."""

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __getitem__(self, benchmark: str) -> Result:
        for result in self.results:
            if result.benchmark == benchmark:
                return result
        raise KeyError(f"{benchmark} has no result: {self.missing.get(benchmark, 'it was not run.')}")

    def scores(self) -> dict[str, float | None]:
        """Return the main score of each benchmark, in percent."""
        return {result.benchmark: result.value for result in self.results}

    def table(self, form: str = "plain") -> str:
        """Return the main scores as a table, with a line for each benchmark that has no result.

        Args:
            form: "plain" for the terminal, or "markdown".

        Returns:
            The text of the table.
        """
        skipped = [f"{name}: skipped. {reason}" for name, reason in self.missing.items()]
        return "\n".join([FORMS[form](board(self.results)), *([""] if skipped else []), *skipped])

    def __str__(self) -> str:
        return self.table()


def row_of(result: Result) -> str:
    """Return the row of a result: the model, its policy and unusual settings of the run."""
    known = f" {result.model_sha256[:8]}" if result.model_sha256 else ""
    unusual = "" if result.scorer == COSINE else f", {result.scorer}"
    unusual += f", {result.candidates:,} candidates" if result.candidates_limited else ""
    unusual += f", seed {result.seed}" if result.seed else ""
    return f"{result.model}{known}, {result.policy}{unusual}"


Group = tuple[str, str, float]
"""Results that share a mean: a task with its version, a corruption and its strength."""


def _group(result: Result) -> Group:
    return f"{result.task}.v{result.version}", result.corruption or "", result.strength


def column_of(result: Result) -> str:
    """Return the column of a result: the task with its version, the data set and the noise."""
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
    """Return the data set that contains a data set, if any."""
    return next((data_set.part_of for data_set in DATA_SETS if data_set.name == data), None)


def _footnote(table: Board) -> str:
    return f"\n\n{OTHER_COPY} made with another copy of the data than the catalogue's." if table.marked else ""


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
