"""What workers do: each task is a few small values, finds all else on disk and may be done twice without harm."""

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
"""Of text that is held in memory."""
PARTS_AT_ONCE = 16
"""That are merged; more are merged in rounds."""


class Task(Protocol):
    """Something to do, with a result that is a short text."""

    @property
    def subject(self) -> str:
        """What it is about, in messages."""
        ...

    def run(self) -> str:
        """Do it."""
        ...


@dataclass(frozen=True)
class TaskResult:
    """A task that was done, or could not be because of what it was given."""

    task: Task
    result: str = ""
    problem: str = ""


def run_task(task: Task) -> TaskResult:
    """Do a task; a problem of its input is told, not raised, so that the others go on."""
    try:
        return TaskResult(task, task.run())
    except EverywordError as error:
        return TaskResult(task, problem=str(error))


@dataclass(frozen=True)
class ScanShard:
    """A shard → a part."""

    folder: Path
    stamp: str
    shard: Shard

    @property
    def subject(self) -> str:
        """What it is about, in messages."""
        return str(self.shard.path)

    def run(self) -> str:
        """Read the shard piece by piece and fold the pieces into one part."""
        target = self.folder / self.shard.name
        if target.is_dir():  # made by a worker that died before it could say so
            return ""
        job, wanted = load_spec(self.folder, self.stamp)
        rows, most = len(wanted.spellings), job.options.sentences
        scratch = Path(tempfile.mkdtemp(prefix=target.name + PARTIAL, dir=self.folder))
        try:
            written: list[Path] = []
            for number, found in enumerate(_pieces(self.shard, job, wanted)):
                if len(written) == PARTS_AT_ONCE:
                    fold(written, scratch / f"folded-{number}", rows, most)
                    for path in written:
                        shutil.rmtree(path)
                    written = [scratch / f"folded-{number}"]
                written.append(scratch / str(number))
                write_scan_result(written[-1], found)
            if len(written) > 1:
                fold(written, target, rows, most)
            else:
                move_part(written[0], target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return ""


@dataclass(frozen=True)
class FoldParts:
    """Several parts → one that replaces them."""

    folder: Path
    stamp: str
    names: tuple[str, ...]
    target: str

    @property
    def subject(self) -> str:
        """What it is about, in messages."""
        return "a merge of parts"

    def run(self) -> str:
        """Write the new part; the old ones stay until all is done."""
        job, wanted = load_spec(self.folder, self.stamp)
        paths = [self.folder / name for name in self.names]
        fold(paths, self.folder / self.target, len(wanted.spellings), job.options.sentences)
        return self.target


@dataclass(frozen=True)
class WriteRows:
    """Some words of all parts → lines of JSON, still without the word itself."""

    folder: Path
    stamp: str
    names: tuple[str, ...]
    rows: range
    path: Path

    @property
    def subject(self) -> str:
        """What it is about, in messages."""
        return "the result"

    def run(self) -> str:
        """Write the lines."""
        job, _ = load_spec(self.folder, self.stamp)
        merge = PartMerger([self.folder / name for name in self.names], job.options.sentences)
        with self.path.open("wb") as file:
            for merged in merge.read(self.rows):
                file.writelines(_lines(job, merged, merge.texts(merged.places)))
        return str(self.path)


@dataclass(frozen=True)
class Checksum:
    """A file → its SHA-256."""

    path: Path

    @property
    def subject(self) -> str:
        """What it is about, in messages."""
        return str(self.path)

    def run(self) -> str:
        """Read the file."""
        return checksum(self.path)


def _pieces(shard: Shard, job: SearchSpec, wanted: WordMatcher) -> Iterator[ScanResult]:
    scan = Scan(wanted, job.options.sentences, job.options.bounds)
    for block in read_blocks(shard, job.options.text_field):
        scan.add(block)
        if scan.characters >= CHARACTERS_PER_PART:
            yield scan.finish()
            scan = Scan(wanted, job.options.sentences, job.options.bounds)
    yield scan.finish()


def _lines(job: SearchSpec, merged: MergedRows, texts: Sequence[bytes]) -> Iterator[bytes]:
    ends = np.searchsorted(rows_of(merged.keys), np.array(merged.rows), side="right").tolist()
    start = 0
    for count, end in zip(merged.counts.tolist(), ends, strict=True):
        head = f'"count": {count}, "band": "{job.options.bands.of(count)}", "sentences": ['
        yield head.encode() + b", ".join(texts[start:end]) + b"]}\n"
        start = end
