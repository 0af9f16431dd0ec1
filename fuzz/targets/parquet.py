"""A column of texts in a Parquet file."""

from pathlib import Path

from everyword.corpus.columns.column import opened
from everyword.corpus.columns.records import Wanted
from fuzz.targets.common import read_file


def _rows(path: Path) -> None:
    with opened(str(path), Wanted("text", ("id",))) as column:
        survey = column.survey(2)
        assert len(list(column.read(0, survey.rows, survey))) == survey.rows


def read(data: bytes) -> None:
    """Read all rows."""
    read_file(data, "x.parquet", _rows)
