"""Search among the texts of a file; the index is kept beside it and made again when file or model have changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple, overload

import numpy as np

from everyword import config
from everyword.arrays import AnyArray
from everyword.corpus.columns.column import opened
from everyword.corpus.columns.files import FileIdentity, kind_of
from everyword.corpus.columns.records import Survey, Wanted
from everyword.errors import EverywordError, InputError
from everyword.files import fingerprint, parse_json
from everyword.models.model import Model
from everyword.sentences.index import TextIndex, read_index, write_index
from everyword.sentences.index import fingerprint as model_fingerprint

SUFFIX = ".everyword-index"
STEP = 256
"""Rows between places from which a text can be read."""
BATCH = 2048
Progress = Callable[[int, int], object]
"""Called with the number of texts that are encoded, and of all."""


class Found(NamedTuple):
    """A text that is near to a query."""

    row: int
    """Its number in the file, from 0."""
    cosine: float
    text: str


@dataclass(frozen=True)
class SearchedFile:
    """What an index was made of."""

    identity: FileIdentity
    survey: Survey
    column: str
    missing_is_empty: bool

    @property
    def wanted(self) -> Wanted:
        """Return what is read from each row."""
        return Wanted(self.column, (), self.missing_is_empty)


class FileTexts(Sequence[str]):
    """The texts of a file, read when they are asked for."""

    def __init__(self, path: Path, source: SearchedFile) -> None:
        self.path, self.source = path, source

    def __len__(self) -> int:
        return self.source.survey.rows

    @overload
    def __getitem__(self, row: int) -> str: ...

    @overload
    def __getitem__(self, row: slice) -> list[str]: ...

    def __getitem__(self, row: int | slice) -> str | list[str]:
        rows = range(len(self))[row]  # refuses what is not there, and counts from the end
        if isinstance(rows, int):
            return self.at([rows])[rows]
        texts = self.at(rows)
        return [texts[each] for each in rows]

    def at(self, rows: Iterable[int]) -> dict[int, str]:
        """Return the texts of several rows; raise InputError if the file has fewer than its index says."""
        wanted = sorted(rows)
        with opened(str(self.path), self.source.wanted) as column:
            records = (record for row in wanted for record in column.read(row, 1, self.source.survey))
            found = {record.row: record.text or "" for record in records}
        if missing := [row for row in wanted if row not in found]:
            raise InputError(
                f"{self.path} has no text {missing[0]:,} where its index says that it is; make the index again "
                "(--rebuild in the shell)."
            )
        return found


class FileSearch:
    """A file whose texts can be searched."""

    def __init__(self, model: Model, texts: FileTexts, index: TextIndex) -> None:
        self.model, self.texts, self.index = model, texts, index

    @classmethod
    def open(
        cls,
        path: str | Path,
        model: Model,
        *,
        column: str = "text",
        missing: str = "error",
        rebuild: bool = False,
        progress: Progress = lambda done, of: None,
    ) -> FileSearch:
        """Read the index of a file, or make and save it first.

        The index is a file beside it, with the suffix .everyword-index, or in the user's cache folder if the place
        cannot be written to.

        Args:
            path: A file of texts: .parquet .jsonl .csv .tsv .txt, also packed.
            model: Gives the vectors.
            column: The column or field of the texts; plain text has a text per line.
            missing: "error" to refuse a missing text, "empty" to take it as an empty one, which is never found.
            rebuild: Make the index again, whatever there is.
            progress: Called while texts are encoded.

        Raises:
            InputError: If the file cannot be read, or has no texts.
        """
        path = Path(path)
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the path of a file of texts.")
        kind_of(str(path))
        wanted = Wanted(column, (), missing == "empty")
        kept = None if rebuild else _kept(path, model, wanted)
        if kept is None:
            kept = _built(path, model, wanted, progress)
        source, vectors = kept
        texts = FileTexts(path, source)
        return cls(model, texts, TextIndex(texts, vectors, model_fingerprint(model)))

    def __len__(self) -> int:
        return len(self.index)

    def search(self, queries: Sequence[str], k: int = 5) -> list[list[Found]]:
        """Return the nearest texts of each query, best first; none for a query without words.

        Args:
            queries: Texts.
            k: How many texts.

        Raises:
            InputError: If `k` is below 1, or a query is not text.
        """
        found = self.index.search(self.model.encode_texts(queries), k)
        texts = self.texts.at({row for pairs in found for row, _ in pairs})
        return [[Found(row, cosine, texts[row]) for row, cosine in pairs] for pairs in found]


def index_paths(path: Path) -> tuple[Path, Path]:
    """Return where the index of a file is kept: beside it, or in the user's cache folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = f"{fingerprint(str(path.absolute()))[:16]}-{path.name}{SUFFIX}"
    return path.with_name(path.name + SUFFIX), home / "everyword" / name


def _kept(path: Path, model: Model, wanted: Wanted) -> tuple[SearchedFile, AnyArray] | None:
    """Return what an index holds that fits the file, the model and the column; None if there is none."""
    for place in index_paths(path):
        if not place.is_file():
            continue
        try:
            vectors, _, told = read_index(place, model)
            source = config.build(SearchedFile, parse_json(told["source"]), "the index")
        except (EverywordError, KeyError, ValueError, TypeError):
            continue  # of another model, or damaged
        if source.wanted == wanted and len(vectors) == source.survey.rows and source.identity.still_holds(str(path)):
            return source, vectors
    return None


def _built(path: Path, model: Model, wanted: Wanted, progress: Progress) -> tuple[SearchedFile, AnyArray]:
    identity = FileIdentity.of(str(path))
    with opened(str(path), wanted) as column:
        survey = column.survey(STEP)
        if not survey.rows:
            raise InputError(f"{path} holds no texts; there is nothing to search.")
        vectors = np.empty((survey.rows, model.dim), dtype=np.float16)
        records, done = column.read(0, survey.rows, survey), 0
        progress(0, survey.rows)
        while batch := [record.text or "" for record in islice(records, BATCH)]:
            vectors[done : done + len(batch)] = model.encode_texts(batch, normalize=True, progress=False)
            done += len(batch)
            progress(done, survey.rows)
    source = SearchedFile(identity, survey, wanted.column, wanted.missing_is_empty)
    _save(path, TextIndex(FileTexts(path, source), vectors, model_fingerprint(model)), source)
    return source, vectors


def _save(path: Path, index: TextIndex, source: SearchedFile) -> None:
    about = {"source": json.dumps(asdict(source))}
    beside, cached = index_paths(path)
    try:
        write_index(beside, index, about=about)
    except OSError:  # a place to read only, or a full disk: searching goes on
        with suppress(OSError):
            cached.parent.mkdir(parents=True, exist_ok=True)
            write_index(cached, index, about=about)
