"""The tasks of workers: each is a few small values, reads everything else from disk and can safely run twice."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from everyword.corpus.contexts.bottom_k import rows_of
from everyword.corpus.contexts.parts import PARTIAL, MergedRows, PartMerger, fold, move_part, write_scan_result
from everyword.corpus.contexts.scan import Scan, ScanResult
from everyword.corpus.contexts.shards import Shard, read_blocks
from everyword.corpus.contexts.spec import SearchSpec, load_spec
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.errors import EverywordError
from everyword.files import checksum

CHARACTERS_PER_PART = 1 << 25
"""How much text is held in memory."""
PARTS_AT_ONCE = 16
"""How many parts are merged at once; more are merged in rounds."""


class Task(Protocol):
    """Work whose result is a short text."""

    @property
    def subject(self) -> str:
        """What the task is about, for messages."""
        ...

    def run(self) -> str:
        """Do the work."""
        ...


@dataclass(frozen=True)
class TaskResult:
    """The result of a task, or the problem that its input has."""

    task: Task
    result: str = ""
    problem: str = ""


def run_task(task: Task) -> TaskResult:
    """Run a task; a problem of its input is returned, not raised, so that the other tasks continue."""
    try:
        return TaskResult(task, task.run())
    except EverywordError as error:
        return TaskResult(task, problem=str(error))


@dataclass(frozen=True)
class ScanShard:
    """Scans a shard and writes a part."""

    folder: Path
    fingerprint: str
    shard: Shard

    @property
    def subject(self) -> str:
        return str(self.shard.path)

    def run(self) -> str:
        target = self.folder / self.shard.name
        if target.is_dir():  # made by a worker that died before it could say so
            return ""
        spec, matcher = load_spec(self.folder, self.fingerprint)
        rows, most = len(matcher.spellings), spec.options.sentences
        scratch = Path(tempfile.mkdtemp(prefix=target.name + PARTIAL, dir=self.folder))
        try:
            written: list[Path] = []
            for number, result in enumerate(_scan(self.shard, spec, matcher)):
                if len(written) == PARTS_AT_ONCE:
                    fold(written, scratch / f"folded-{number}", rows, most)
                    for path in written:
                        shutil.rmtree(path)
                    written = [scratch / f"folded-{number}"]
                written.append(scratch / str(number))
                write_scan_result(written[-1], result)
            if len(written) > 1:
                fold(written, target, rows, most)
            else:
                move_part(written[0], target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return ""


@dataclass(frozen=True)
class FoldParts:
    """Merges several parts into one; the old ones stay until the search is complete."""

    folder: Path
    fingerprint: str
    names: tuple[str, ...]
    target: str

    @property
    def subject(self) -> str:
        return "a merge of parts"

    def run(self) -> str:
        spec, matcher = load_spec(self.folder, self.fingerprint)
        paths = [self.folder / name for name in self.names]
        fold(paths, self.folder / self.target, len(matcher.spellings), spec.options.sentences)
        return self.target


@dataclass(frozen=True)
class WriteRows:
    """Writes the JSON lines of a range of words, from all parts, without the words themselves."""

    folder: Path
    fingerprint: str
    names: tuple[str, ...]
    rows: range
    path: Path

    @property
    def subject(self) -> str:
        return "the result"

    def run(self) -> str:
        spec, _ = load_spec(self.folder, self.fingerprint)
        merger = PartMerger([self.folder / name for name in self.names], spec.options.sentences)
        with self.path.open("wb") as file:
            for merged in merger.read(self.rows):
                file.writelines(_lines(spec, merged, merger.texts(merged.sentences)))
        return str(self.path)


@dataclass(frozen=True)
class Checksum:
    """Computes the SHA-256 of a file."""

    path: Path

    @property
    def subject(self) -> str:
        return str(self.path)

    def run(self) -> str:
        return checksum(self.path)


def _scan(shard: Shard, spec: SearchSpec, matcher: WordMatcher) -> Iterator[ScanResult]:
    scan = Scan(matcher, spec.options.sentences, spec.options.bounds)
    for block in read_blocks(shard, spec.options.text_field):
        scan.add(block)
        if scan.characters >= CHARACTERS_PER_PART:
            yield scan.finish()
            scan = Scan(matcher, spec.options.sentences, spec.options.bounds)
    yield scan.finish()


def _lines(spec: SearchSpec, merged: MergedRows, texts: Sequence[bytes]) -> Iterator[bytes]:
    ends = np.searchsorted(rows_of(merged.keys), np.array(merged.rows), side="right").tolist()
    start = 0
    for count, end in zip(merged.counts.tolist(), ends, strict=True):
        head = f'"count": {count}, "band": "{spec.options.bands.of(count)}", "sentences": ['
        yield head.encode() + b", ".join(texts[start:end]) + b"]}\n"
        start = end
