"""The catalogue of public data sets, and where to find them on this machine.

`data_sets.json` lists what each data set is, its source, its license and the checksum of the copy that our scores are
made with. Only our own word list is shipped: the licenses vary, and many have none. Data sets are read from a data
folder (`--data` or EVERYWORD_DATA). Three of them also come with gensim, as part of its test data.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from everyword import config
from everyword.errors import InputError
from everyword.files import checksum, checksum_of_all, read_object

DATA_VARIABLE = "EVERYWORD_DATA"


@dataclass(frozen=True)
class DataSet:
    """A public data set and the copy of it that our scores are made with."""

    name: str
    kind: str
    path: str
    """The path inside a data folder."""
    items: int
    """Rows of the file; not always items of a score, because a misspelling with two corrections has two rows."""
    sha256: str
    source: str
    """The official source, or another one if that is gone."""
    citation: str
    license: str
    """As far as known."""
    parts: tuple[str, ...] = ()
    """The files of a data set that is a folder; its checksum is that of their checksums."""
    reverse: bool = False
    """Whether a file of translations is read from its second language to its first."""
    part_of: str | None = None
    """The data set that contains all its items, so that no mean counts them twice."""
    gensim: tuple[str, str] | None = None
    """The name of the file among gensim's test data, and its checksum."""
    shipped: str | None = None
    """The name of the file beside the catalogue, where the data set is our own."""


HERE = Path(__file__).parent
_catalogue = read_object(HERE / "data_sets.json")
COLUMNS: dict[str, str] = _catalogue["columns"]
"""The columns of each kind of data set."""
DATA_SETS = tuple(config.build(DataSet, record, "the catalogue") for record in _catalogue["data_sets"])


@dataclass(frozen=True)
class DataFile:
    """A data set as found on this machine."""

    path: Path
    origin: str
    """Where it was found, for the record: "data folder" or "gensim", and the path inside it."""
    sha256: str
    expected: bool
    """Whether it is the catalogue's copy; others in circulation carry altered scores."""


def data_folder(given: Path | None = None) -> Path | None:
    """Return the data folder: the given one, else that of the environment variable, else None."""
    folder = given or (Path(os.environ[DATA_VARIABLE]) if os.environ.get(DATA_VARIABLE) else None)
    if folder is not None and not folder.is_dir():
        raise InputError(f"There is no data folder {folder}; check the path or the variable {DATA_VARIABLE}.")
    return folder


def find(data: DataSet, folder: Path | None) -> DataFile:
    """Find a data set in a folder or in gensim; if it is in neither, the error says where to get it."""
    if folder is not None and all((folder / data.path / part).is_file() for part in data.parts or ("",)):
        return _found(folder / data.path, f"data folder: {data.path}", data.sha256, data.parts)
    if data.gensim is not None and (home := _gensim_folder()) is not None and (home / data.gensim[0]).is_file():
        return _found(home / data.gensim[0], f"gensim: test/test_data/{data.gensim[0]}", data.gensim[1])
    if data.shipped is not None:
        return _found(HERE / data.shipped, f"everyword: {data.shipped}", data.sha256)
    target = folder / data.path if folder is not None else data.path
    also = ", or pip install gensim, which contains it" if data.gensim is not None else ""
    given = "" if folder is not None else f", in the folder that --data or {DATA_VARIABLE} names"
    raise InputError(
        f"The data set {data.name!r} is missing: get it from {data.source} and save it with the columns "
        f"{COLUMNS[data.kind]} as {target}{given}{also}."
    )


def _found(path: Path, origin: str, expected: str, parts: Sequence[str] = ()) -> DataFile:
    seen = checksum_of_all([path / part for part in parts]) if parts else checksum(path)
    return DataFile(path, origin, seen, seen == expected)


def _gensim_folder() -> Path | None:
    """Return the folder of gensim's test data, without importing gensim."""
    spec = find_spec("gensim")
    return Path(spec.origin).parent / "test" / "test_data" if spec is not None and spec.origin else None
