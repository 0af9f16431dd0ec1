"""A corpus and words → a folder with their sentences: shards, parts, one result; in any number of attempts."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.corpus.contexts.executors import Executor, run_all
from everyword.corpus.contexts.parts import PARTIAL
from everyword.corpus.contexts.result import RECORD_FILE, ResultInputs, file_fingerprints, read_record, write_result
from everyword.corpus.contexts.shards import Shard, fingerprint, shards_of
from everyword.corpus.contexts.spec import SearchSpec, fingerprint_in
from everyword.corpus.contexts.worker import PARTS_AT_ONCE, FoldParts, ScanShard
from everyword.errors import InputError
from everyword.learning.interrupt import Interrupt

PARTS_FOLDER = "parts"


@dataclass(frozen=True)
class ShardShare:
    """Every n-th shard, from the i-th on: what one job of an array does."""

    which: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.which <= self.of:
            raise InputError(f"A share is one of a number, as in 1/4 to 4/4. Got {self.which}/{self.of} instead.")


@dataclass(frozen=True)
class ContextSearch:
    """A job on a corpus, into a folder."""

    job: SearchSpec
    corpus: Sequence[Path]
    folder: Path
    executor: Executor
    share: ShardShare | None = None
    """With a share only parts are made; a run without one makes what is missing and writes the result."""
    keep_parts: bool = False
    progress: Callable[[int], object] = lambda size: None
    """Is told how many bytes of the corpus were read since it was told last."""


def find_contexts(run: ContextSearch) -> bool:
    """Do what is not done yet; False if Ctrl-C stopped it, with every finished part kept."""
    shards = shards_of(run.corpus)
    shutil.rmtree(run.folder / f"{PARTS_FOLDER}{PARTIAL}done", ignore_errors=True)  # left by one that was killed
    if _is_finished(run):
        run.progress(sum(shard.bytes for shard in shards))
        return True
    parts = _prepared(run)
    with Interrupt() as interrupt:
        return _scanned(run, shards, parts, lambda: interrupt.requested) and (
            run.share is not None or _finished(run, shards, parts, lambda: interrupt.requested)
        )


def _is_finished(run: ContextSearch) -> bool:
    made = read_record(run.folder)
    if made is None:
        return False
    if made["stamp"] == run.job.stamp:
        if file_fingerprints(made) == [fingerprint(path) for path in run.corpus]:
            return True
        if fingerprint_in(run.folder / PARTS_FOLDER) == run.job.stamp:  # parts were kept: a corpus may grow
            return False
    raise InputError(
        f"{run.folder} holds the result of other words, options or files; name another folder, "
        f"or remove its {RECORD_FILE} to replace it."
    )


def _prepared(run: ContextSearch) -> Path:
    if run.folder.exists() and not run.folder.is_dir():
        raise InputError(f"{run.folder} is a file; name a folder for the result.")
    parts = run.folder / PARTS_FOLDER
    if run.share is None:  # others may be at work on their shares
        _remove_partial(parts)
    stamp = fingerprint_in(parts)
    if stamp is None:
        parts.mkdir(parents=True, exist_ok=True)
        run.job.save(parts)
    elif stamp != run.job.stamp:
        raise InputError(
            f"{run.folder} holds parts of a run with other words or options; use those again, name another folder, "
            f"or remove {parts}."
        )
    return parts


def _scanned(run: ContextSearch, shards: Sequence[Shard], parts: Path, stopped: Callable[[], bool]) -> bool:
    share = run.share or ShardShare()
    own = shards[share.which - 1 :: share.of]
    missing = {shard.name: shard for shard in own if not (parts / shard.name).is_dir()}
    run.progress(sum(shard.bytes for shard in own) - sum(shard.bytes for shard in missing.values()))
    tasks = [ScanShard(parts, run.job.stamp, shard) for shard in missing.values()]
    problems = []
    for done in run.executor(tasks, stopped):
        assert isinstance(done.task, ScanShard)
        run.progress(done.task.shard.bytes)
        if done.problem:
            problems.append(done.problem)
    if problems:
        first, more = min(problems), len(problems) - 1
        rest = f" ({more} more had a problem too.)" if more else ""
        raise InputError(f"{first} All other parts are kept: mend the file or leave it out and run again.{rest}")
    return not stopped()


def _finished(run: ContextSearch, shards: Sequence[Shard], parts: Path, stopped: Callable[[], bool]) -> bool:
    names = [shard.name for shard in shards]
    while len(names) > PARTS_AT_ONCE:
        groups = [tuple(names[start : start + PARTS_AT_ONCE]) for start in range(0, len(names), PARTS_AT_ONCE)]
        names = [_name_of_fold(group) for group in groups]
        folds = [
            FoldParts(parts, run.job.stamp, group, name)
            for group, name in zip(groups, names, strict=True)
            if not (parts / name).is_dir()
        ]
        if run_all(run.executor, folds, stopped) is None:
            return False
    if not write_result(run.folder, ResultInputs(run.job, run.corpus, parts, tuple(names)), run.executor, stopped):
        return False
    if run.keep_parts:
        _remove_partial(parts)
    else:
        # In one move first: of parts that are half removed a later run would take the rest for whole.
        parts.rename(gone := run.folder / f"{PARTS_FOLDER}{PARTIAL}done")
        shutil.rmtree(gone)
    return True


def _name_of_fold(names: Sequence[str]) -> str:
    return "fold-" + hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


def _remove_partial(parts: Path) -> None:
    for left in parts.glob(f"*{PARTIAL}*"):
        shutil.rmtree(left, ignore_errors=True)
