"""Where the data sets are on this machine: in a data folder (`--data` or EVERYWORD_DATA).

Three of them are also inside an installed gensim, which brings them for its own tests.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from everyword.errors import InputError
from everyword.evaluation.data_sets import COLUMNS, DataSet
from everyword.files import checksum, checksum_of_all

DATA_VARIABLE = "EVERYWORD_DATA"


@dataclass(frozen=True)
class DataFile:
    """A data set as found on this machine."""

    path: Path
    origin: str
    """For the record: the kind of place, and the path inside it."""
    sha256: str
    expected: bool
    """Whether it is the copy of the catalogue; others in circulation carry altered scores."""


def data_folder(given: Path | None = None) -> Path | None:
    """The data folder: the one given, else the one of the environment, else none."""
    folder = given or (Path(os.environ[DATA_VARIABLE]) if os.environ.get(DATA_VARIABLE) else None)
    if folder is not None and not folder.is_dir():
        raise InputError(f"There is no data folder {folder}; check --data or the variable {DATA_VARIABLE}.")
    return folder


def find(data: DataSet, folder: Path | None) -> DataFile:
    """Find a data set in a folder or in gensim; if it is in neither, the error says where to get it."""
    if folder is not None and all((folder / data.path / part).is_file() for part in data.parts or ("",)):
        return _found(folder / data.path, f"data folder: {data.path}", data.sha256, data.parts)
    if data.gensim is not None and (home := _gensim_folder()) is not None and (home / data.gensim[0]).is_file():
        return _found(home / data.gensim[0], f"gensim: test/test_data/{data.gensim[0]}", data.gensim[1])
    where = folder / data.path if folder is not None else data.path
    also = ", or pip install gensim, which brings it" if data.gensim is not None else ""
    given = "" if folder is not None else f", in the folder that --data or {DATA_VARIABLE} names"
    raise InputError(
        f"The data set {data.name!r} is missing: get it from {data.source} and save it with the columns "
        f"{COLUMNS[data.kind]} as {where}{given}{also}."
    )


def _found(path: Path, origin: str, expected: str, parts: Sequence[str] = ()) -> DataFile:
    seen = checksum_of_all([path / part for part in parts]) if parts else checksum(path)
    return DataFile(path, origin, seen, seen == expected)


def _gensim_folder() -> Path | None:
    """Where gensim keeps its test data; found without importing it."""
    spec = find_spec("gensim")
    return Path(spec.origin).parent / "test" / "test_data" if spec is not None and spec.origin else None
