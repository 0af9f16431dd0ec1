"""Search a corpus for words and write a folder with their sentences: shards → parts → one result, resumable."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword import config
from everyword.corpus.contexts.parts import PARTIAL
from everyword.corpus.contexts.result import RECORD_FILE, ResultInputs, file_fingerprints, read_record, write_result
from everyword.corpus.contexts.shards import Shard, file_fingerprint, split_corpus
from everyword.corpus.contexts.spec import SearchSpec, fingerprint_in
from everyword.corpus.contexts.worker import PARTS_AT_ONCE, fold_parts, scan_shard
from everyword.corpus.executors import Executor, Task, run_all
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.learning.interrupt import Interrupt

PARTS_FOLDER = "parts"


@dataclass(frozen=True)
class ShardShare:
    """Every n-th shard, from the i-th on: the share of one job in a job array."""

    which: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.which <= self.of:
            raise InputError(f"A share must be one of 1/N to N/N, such as 1/4. Got {self.which}/{self.of} instead.")


@dataclass(frozen=True)
class ContextSearch:
    """A search for words in a corpus.

    Attributes:
        spec: The words and options.
        corpus: Text, JSON lines or Parquet files; text and JSON lines may be compressed.
        folder: Where the result is written.
        executor: Runs the tasks, in processes of this machine or on a Ray cluster.
        share: Only scan this share of the shards, without writing the result. A search without a share scans what is
            missing and writes the result.
        keep_parts: Keep the result of each shard, so that the corpus can grow.
        progress: Called with the number of bytes read since the last call.
    """

    spec: SearchSpec
    corpus: Sequence[Path]
    folder: Path
    executor: Executor
    share: ShardShare | None = None
    keep_parts: bool = False
    progress: Callable[[int], object] = lambda size: None


def find_contexts(search: ContextSearch) -> bool:
    """Find sentences of words in a corpus, continuing an earlier attempt in the same folder.

    Args:
        search: What to find, where, and how to run it.

    Returns:
        Whether the search is complete. False if Ctrl-C stopped it; every finished part is kept.

    Raises:
        ConfigError: If the options are invalid.
        InputError: If a file cannot be read, or if the folder belongs to another search.
    """
    config.check(search.spec.options)
    shards = split_corpus(search.corpus)
    shutil.rmtree(search.folder / f"{PARTS_FOLDER}{PARTIAL}done", ignore_errors=True)  # left by one that was killed
    if _is_complete(search):
        search.progress(sum(shard.bytes for shard in shards))
        return True
    parts = _prepare_parts(search)
    with Interrupt() as interrupt:
        return _scan_shards(search, shards, parts, lambda: interrupt.requested) and (
            search.share is not None or _write_result(search, shards, parts, lambda: interrupt.requested)
        )


def _is_complete(search: ContextSearch) -> bool:
    record = read_record(search.folder)
    if record is None:
        return False
    if record["stamp"] == search.spec.fingerprint:
        if file_fingerprints(record) == [file_fingerprint(path) for path in search.corpus]:
            return True
        if fingerprint_in(search.folder / PARTS_FOLDER) == search.spec.fingerprint:  # a corpus may grow
            return False
    raise InputError(
        f"{search.folder} holds the result of other words, options or files; choose another folder, "
        f"or remove its {RECORD_FILE} to replace it."
    )


def _prepare_parts(search: ContextSearch) -> Path:
    if search.folder.exists() and not search.folder.is_dir():
        raise InputError(f"{search.folder} is a file; choose a folder for the result.")
    parts = search.folder / PARTS_FOLDER
    if search.share is None:  # others may be at work on their shares
        _remove_partial(parts)
    found = fingerprint_in(parts)
    if found is None:
        parts.mkdir(parents=True, exist_ok=True)
        search.spec.save(parts)
    elif found != search.spec.fingerprint:
        raise InputError(
            f"{search.folder} holds parts of a search with other words or options; use those again, choose another "
            f"folder, or remove {parts}."
        )
    return parts


def _scan_shards(search: ContextSearch, shards: Sequence[Shard], parts: Path, stopped: Callable[[], bool]) -> bool:
    share = search.share or ShardShare()
    own = shards[share.which - 1 :: share.of]
    missing = {shard.name: shard for shard in own if not (parts / shard.name).is_dir()}
    search.progress(sum(shard.bytes for shard in own) - sum(shard.bytes for shard in missing.values()))
    tasks = {
        Task(str(shard.path), scan_shard, (parts, search.spec.fingerprint, shard)): shard for shard in missing.values()
    }
    problems = []
    for result in search.executor(list(tasks), stopped):
        search.progress(tasks[result.task].bytes)
        if result.problem:
            problems.append(result.problem)
    if problems:
        first, more = min(problems), len(problems) - 1
        rest = f" ({more} more had a problem too.)" if more else ""
        raise InputError(f"{first} All other parts are kept: fix the file or leave it out and run again.{rest}")
    return not stopped()


def _write_result(search: ContextSearch, shards: Sequence[Shard], parts: Path, stopped: Callable[[], bool]) -> bool:
    names = [shard.name for shard in shards]
    while len(names) > PARTS_AT_ONCE:
        groups = [tuple(names[start : start + PARTS_AT_ONCE]) for start in range(0, len(names), PARTS_AT_ONCE)]
        names = ["fold-" + fingerprint(" ".join(group))[:16] for group in groups]
        folds = [
            Task("a merge of parts", fold_parts, (parts, search.spec.fingerprint, group, name))
            for group, name in zip(groups, names, strict=True)
            if not (parts / name).is_dir()
        ]
        if run_all(search.executor, folds, stopped) is None:
            return False
    inputs = ResultInputs(search.spec, search.corpus, parts, tuple(names))
    if not write_result(search.folder, inputs, search.executor, stopped):
        return False
    if search.keep_parts:
        _remove_partial(parts)
    else:
        # In one move first: of parts that are half removed a later run would take the rest for whole.
        parts.rename(gone := search.folder / f"{PARTS_FOLDER}{PARTIAL}done")
        shutil.rmtree(gone)
    return True


def _remove_partial(parts: Path) -> None:
    for left in parts.glob(f"*{PARTIAL}*"):
        shutil.rmtree(left, ignore_errors=True)
