"""Parts → the folder that is kept: the sentences of each word of the list, and a record of what they are of."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import tempfile
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

import everyword
from everyword.atomic import partial_path, write_atomic
from everyword.corpus.contexts.executors import Executor, run_all
from everyword.corpus.contexts.parts import PARTIAL, as_json
from everyword.corpus.contexts.sentences import CONTEXTS_FILE
from everyword.corpus.contexts.shards import fingerprint
from everyword.corpus.contexts.spec import FORMAT, NAMES, SearchSpec, load_spec
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.corpus.contexts.worker import Checksum, WriteRows
from everyword.corpus.word_list import NAMED_IN_A_WARNING
from everyword.errors import InputError
from everyword.files import read_object

RECORD_FILE = "record.json"
ROWS_PER_TASK = 4096
BAND = re.compile(rb'"count": \d+, "band": "(\w+)"')


@dataclass(frozen=True)
class ResultInputs:
    """What a result is made of."""

    job: SearchSpec
    corpus: Sequence[Path]
    parts: Path
    names: tuple[str, ...]


def read_record(folder: Path) -> dict[str, Any] | None:
    """What a finished folder says of itself."""
    path = folder / RECORD_FILE
    if not path.is_file():
        return None
    try:
        record = read_object(path)
        if not all(isinstance(mark, str) for mark in (record["stamp"], *file_fingerprints(record))):
            raise ValueError("its stamps are no texts")
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no record of 'everyword contexts' ({error!s:.80}); remove it.") from None
    return record


def file_fingerprints(record: dict[str, Any]) -> list[str]:
    """The fingerprints of the files that a result is of."""
    return [file["fingerprint"] for file in record["corpus"]]


def write_result(folder: Path, sources: ResultInputs, executor: Executor, stopped: Callable[[], bool]) -> bool:
    """Write sentences, then the record, which says that all is there; False if it was time to stop."""
    checksums = run_all(executor, [Checksum(path) for path in sources.corpus], stopped)
    scratch = Path(tempfile.mkdtemp(prefix=f"result{PARTIAL}", dir=sources.parts))
    _, wanted = load_spec(sources.parts, sources.job.stamp)
    _tell_never_found(wanted)
    rows = len(wanted.spellings)
    tasks = [
        WriteRows(
            sources.parts,
            sources.job.stamp,
            sources.names,
            range(start, min(start + ROWS_PER_TASK, rows)),
            scratch / f"{start:08}.jsonl",
        )
        for start in range(0, rows, ROWS_PER_TASK)
    ]
    written = run_all(executor, tasks, stopped)
    if checksums is None or written is None:
        return False
    (folder / RECORD_FILE).unlink(missing_ok=True)  # it may be that of a smaller corpus
    seen = _write_sentences(folder / CONTEXTS_FILE, sources.job.words, wanted, map(Path, written))
    shutil.rmtree(scratch)
    write_atomic(folder / RECORD_FILE, json.dumps(_record(sources, checksums, seen), indent=2) + "\n")
    return True


def _tell_never_found(wanted: WordMatcher) -> None:
    if len(wanted.never_found):
        named = ", ".join(repr(wanted.spellings[row]) for row in wanted.never_found[:NAMED_IN_A_WARNING].tolist())
        more = ", ..." if len(wanted.never_found) > NAMED_IN_A_WARNING else ""
        warnings.warn(
            f"{len(wanted.never_found):,} of {len(wanted.spellings):,} words cannot be found in any text, because they "
            f"do not begin and end with a letter or digit: {named}{more}",
            stacklevel=2,
        )


def _write_sentences(path: Path, words: Sequence[str], wanted: WordMatcher, pieces: Iterable[Path]) -> Counter[str]:
    """Put the words of the list before the lines of their rows; how many words each band has is returned."""
    bands: Counter[str] = Counter()
    bodies = (line for piece in pieces for line in _lines(piece))
    places: dict[int, int] = {}
    with partial_path(path).open("w+b") as file:
        for word, row in zip(words, wanted.row_of_word, strict=True):
            # "Paris" and "paris" share a row: what was written for one is read again for the other.
            body = _read_at(file, places[row]) if row in places else next(bodies)
            head = f'{{"word": {as_json(word)}, '.encode()
            places[row] = file.tell() + len(head)
            file.write(head + body)
            if band := BAND.match(body):
                bands[band[1].decode()] += 1
    partial_path(path).replace(path)
    return bands


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file


def _read_at(file: IO[bytes], place: int) -> bytes:
    file.seek(place)
    line = file.readline()
    file.seek(0, os.SEEK_END)
    return line


def _record(sources: ResultInputs, checksums: Sequence[str], bands: Counter[str]) -> dict[str, Any]:
    files = zip(sources.corpus, checksums, strict=True)
    return {
        "format": FORMAT,
        "stamp": sources.job.stamp,
        "words": len(sources.job.words),
        "bands": {name: bands[name] for name in NAMES},
        "options": asdict(sources.job.options),
        "corpus": [
            {"file": path.name, "bytes": path.stat().st_size, "sha256": sha256, "fingerprint": fingerprint(path)}
            for path, sha256 in files
        ],
        "versions": {
            "everyword": everyword.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
            "unicode": unicodedata.unidata_version,
        },
    }
