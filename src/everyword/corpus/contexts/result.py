"""Write the result of a search: the sentences of each word, and a record of what was searched."""

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
from everyword.corpus.contexts.parts import PARTIAL, as_json
from everyword.corpus.contexts.sentences import CONTEXTS_FILE
from everyword.corpus.contexts.shards import file_fingerprint
from everyword.corpus.contexts.spec import BAND_NAMES, FORMAT, SearchSpec, load_spec
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.corpus.contexts.worker import write_rows
from everyword.corpus.executors import Executor, Task, run_all
from everyword.corpus.word_list import named_examples
from everyword.errors import InputError
from everyword.files import checksum, read_object

RECORD_FILE = "record.json"
ROWS_PER_TASK = 4096
BAND = re.compile(rb'"count": \d+, "band": "(\w+)"')


@dataclass(frozen=True)
class ResultInputs:
    """What a result is made of: the parts of these names in a folder."""

    spec: SearchSpec
    corpus: Sequence[Path]
    parts: Path
    names: tuple[str, ...]


def read_record(folder: Path) -> dict[str, Any] | None:
    """Read the record of a complete result; None if the folder has none."""
    path = folder / RECORD_FILE
    if not path.is_file():
        return None
    try:
        record = read_object(path)
        if not all(isinstance(text, str) for text in (record["stamp"], *file_fingerprints(record))):
            raise ValueError("its fingerprints are not texts")
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a record of 'everyword contexts' ({error!s:.80}); remove it.") from None
    return record


def file_fingerprints(record: dict[str, Any]) -> list[str]:
    """Return the fingerprints of the corpus files in a record."""
    return [file["fingerprint"] for file in record["corpus"]]


def write_result(folder: Path, inputs: ResultInputs, executor: Executor, stopped: Callable[[], bool]) -> bool:
    """Write the sentences, then the record, whose presence means that the result is complete; False if stopped."""
    checksums = run_all(executor, [Task(str(path), checksum, (path,)) for path in inputs.corpus], stopped)
    scratch = Path(tempfile.mkdtemp(prefix=f"result{PARTIAL}", dir=inputs.parts))
    _, matcher = load_spec(inputs.parts, inputs.spec.fingerprint)
    _warn_unfindable(matcher)
    rows = len(matcher.spellings)
    chunks = [range(start, min(start + ROWS_PER_TASK, rows)) for start in range(0, rows, ROWS_PER_TASK)]
    parts = (inputs.parts, inputs.spec.fingerprint, inputs.names)
    tasks = [Task("the result", write_rows, (*parts, chunk, scratch / f"{chunk.start:08}.jsonl")) for chunk in chunks]
    written = run_all(executor, tasks, stopped)
    if checksums is None or written is None:
        return False
    (folder / RECORD_FILE).unlink(missing_ok=True)  # it may be that of a smaller corpus
    bands = _write_sentences(folder / CONTEXTS_FILE, inputs.spec.words, matcher, map(Path, written))
    shutil.rmtree(scratch)
    write_atomic(folder / RECORD_FILE, json.dumps(_record(inputs, checksums, bands), indent=2) + "\n")
    return True


def _warn_unfindable(matcher: WordMatcher) -> None:
    unfindable = [matcher.spellings[row] for row in matcher.unfindable.tolist()]
    if unfindable:
        warnings.warn(
            f"{len(unfindable):,} of {len(matcher.spellings):,} words cannot be found in any text, because they do not "
            f"begin and end with a letter or digit: {named_examples(unfindable)}",
            stacklevel=2,
        )


def _write_sentences(path: Path, words: Sequence[str], matcher: WordMatcher, files: Iterable[Path]) -> Counter[str]:
    """Put each word of the list before the line of its row, and count the words of each band."""
    bands: Counter[str] = Counter()
    bodies = (line for file in files for line in _lines(file))
    offsets: dict[int, int] = {}
    with partial_path(path).open("w+b") as file:
        for word, row in zip(words, matcher.row_of_word, strict=True):
            # "Paris" and "paris" share a row: what was written for one is read again for the other.
            body = _read_at(file, offsets[row]) if row in offsets else next(bodies)
            head = f'{{"word": {as_json(word)}, '.encode()
            offsets[row] = file.tell() + len(head)
            file.write(head + body)
            if band := BAND.match(body):
                bands[band[1].decode()] += 1
    partial_path(path).replace(path)
    return bands


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file


def _read_at(file: IO[bytes], offset: int) -> bytes:
    file.seek(offset)
    line = file.readline()
    file.seek(0, os.SEEK_END)
    return line


def _record(inputs: ResultInputs, checksums: Sequence[str], bands: Counter[str]) -> dict[str, Any]:
    files = zip(inputs.corpus, checksums, strict=True)
    return {
        "format": FORMAT,
        "stamp": inputs.spec.fingerprint,
        "words": len(inputs.spec.words),
        "bands": {name: bands[name] for name in BAND_NAMES},
        "options": asdict(inputs.spec.options),
        "corpus": [
            {"file": path.name, "bytes": path.stat().st_size, "sha256": sha256, "fingerprint": file_fingerprint(path)}
            for path, sha256 in files
        ],
        "versions": {
            "everyword": everyword.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
            "unicode": unicodedata.unidata_version,
        },
    }
