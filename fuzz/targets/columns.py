"""A column of texts in a file of lines; the first byte says of which kind."""

from pathlib import Path

from everyword.corpus.columns.column import opened
from everyword.corpus.columns.records import Record, Wanted
from fuzz.targets.common import read_file

SUFFIXES = (".txt", ".jsonl", ".csv", ".tsv")
STEP = 2


def _rows(path: Path) -> list[Record]:
    wanted = Wanted("text", () if path.suffix == ".txt" else ("id",))
    with opened(str(path), wanted) as column:
        survey = column.survey(STEP)
        rows = list(column.read(0, survey.rows, survey))
        assert [record.row for record in rows] == list(range(survey.rows))
        last = list(column.read(max(0, survey.rows - 1), 1, survey))
        assert last == rows[-1:]
        return rows


def read(data: bytes) -> None:
    """Read all rows, and the last one again."""
    read_file(data[1:], "x" + SUFFIXES[data[0] % len(SUFFIXES) if data else 0], _rows)
