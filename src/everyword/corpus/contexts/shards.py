"""A corpus → shards: parts of files that are read independently, each with a name that says what is in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from everyword.corpus.contexts.parquet import is_parquet, row_groups
from everyword.corpus.text_file import check_is_file
from everyword.errors import InputError
from everyword.vectors.input_file import InputFile

BYTES_A_SHARD = 1 << 25
SAMPLED = 1 << 20
TO_THE_END = -1
JSON_LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True)
class Shard:
    """Some bytes of a text that lies there as it is, row groups of a Parquet file, or all of a compressed file."""

    path: Path
    kind: str
    """text, json or parquet"""
    first: int
    last: int
    """Bytes or row groups, the last one excluded; -1 for the end of the file."""
    bytes: int
    """Of the file, for progress."""
    name: str
    """The same for the same content, wherever the file lies."""


def shards_of(corpus: Iterable[Path]) -> list[Shard]:
    """The shards of some files, in their order."""
    paths = list(corpus)
    if not paths:
        raise InputError("A corpus of at least one file is needed. Got none.")
    for path in paths:
        check_is_file(path, "text, JSON lines or Parquet file")
        if paths.count(path) > 1:
            raise InputError(f"{path} is given twice, and its sentences would count twice; name it once.")
    return [shard for path in paths for shard in _shards(path)]


def fingerprint(path: Path) -> str:
    """What tells a file from others without reading all of it: its size, its first and its last megabyte."""
    size = path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(SAMPLED))
        file.seek(max(size - SAMPLED, 0))
        digest.update(file.read(SAMPLED))
    return digest.hexdigest()[:16]


def _shards(path: Path) -> Iterator[Shard]:
    mark, size, kind = fingerprint(path), path.stat().st_size, _kind(path)
    ranges = list(_ranges(path, kind, size))
    for number, (first, last) in enumerate(ranges):
        share = size * (number + 1) // len(ranges) - size * number // len(ranges)
        yield Shard(path, kind, first, last, share, f"{mark}-{kind}-{first}-{last}")


def _ranges(path: Path, kind: str, size: int) -> Iterator[tuple[int, int]]:
    if kind == "parquet":
        yield from ((group, group + 1) for group in range(row_groups(path)))
    elif InputFile(path).container != "plain":
        yield 0, TO_THE_END
    else:
        for first in range(0, max(size, 1), BYTES_A_SHARD):
            yield first, min(first + BYTES_A_SHARD, size)


def _kind(path: Path) -> str:
    if is_parquet(path):
        return "parquet"
    return "json" if any(suffix.lower() in JSON_LINES for suffix in path.suffixes[-2:]) else "text"
