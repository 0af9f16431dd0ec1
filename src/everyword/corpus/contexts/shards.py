"""Divide a corpus into shards that can be read independently, and read the text of a shard in blocks of whole lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from everyword.corpus.text_file import BYTE_ORDER_MARK, LONGEST_LINE, check_is_file
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.vectors.input_file import DAMAGE, InputFile, damaged

BYTES_PER_SHARD = 1 << 25
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
        for first in range(0, max(size, 1), BYTES_PER_SHARD):
            yield first, min(first + BYTES_PER_SHARD, size)


def _kind(path: Path) -> str:
    if is_parquet(path):
        return "parquet"
    return "json" if any(suffix.lower() in JSON_LINES for suffix in path.suffixes[-2:]) else "text"


AT_ONCE = 1 << 19


def read_blocks(shard: Shard, field: str) -> Iterator[str]:
    """All text of a shard; `field` is where JSON lines and Parquet files have it."""
    if shard.kind == "parquet":
        return _joined(read_parquet(shard.path, field, shard.first, shard.last))
    texts = _decoded(shard)
    return _joined(_texts_of_objects(texts, shard, field)) if shard.kind == "json" else texts


def _decoded(shard: Shard) -> Iterator[str]:
    source = InputFile(shard.path)
    try:
        for start, raw in _raw_blocks(source.open(), shard):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                place = start + error.start
                raise InputError(
                    f"{shard.path}: the text at byte {place:,} is not UTF-8; convert the file to UTF-8."
                ) from None
            yield text.removeprefix(BYTE_ORDER_MARK) if start == 0 else text
    except DAMAGE as error:
        raise damaged(shard.path, error) from error
    finally:
        source.close()


def _raw_blocks(stream: IO[bytes], shard: Shard) -> Iterator[tuple[int, bytes]]:
    """Whole lines with the place of their first byte; a line belongs to the shard in which it begins."""
    place = shard.first
    if place:
        stream.seek(place - 1)
        place += len(_rest_of_line(stream, shard)) - 1
    while place < shard.last or shard.last == TO_THE_END:
        raw = stream.read(AT_ONCE if shard.last == TO_THE_END else min(AT_ONCE, shard.last - place))
        if not raw:
            return
        if not raw.endswith(b"\n"):
            raw += _rest_of_line(stream, shard)
        yield place, raw.removesuffix(b"\n")
        place += len(raw)


def _rest_of_line(stream: IO[bytes], shard: Shard) -> bytes:
    raw = stream.readline(LONGEST_LINE)
    if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
        raise InputError(f"{shard.path} has a line of more than {LONGEST_LINE:,} bytes; break it into lines.")
    return raw


def _texts_of_objects(texts: Iterable[str], shard: Shard, field: str) -> Iterator[str]:
    for block in texts:
        for line in block.split("\n"):
            if line.strip():
                yield _text_of(line, shard, field)


def _text_of(line: str, shard: Shard, field: str) -> str:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    text = found.get(field, 0) if isinstance(found, dict) else 0
    if text is None:
        return ""
    if not isinstance(text, str):
        raise InputError(
            f"{shard.path}: each line should be a JSON object with a text in {field!r}. Got {line[:60]!r} instead; "
            "name the field by --field."
        )
    # JSON can spell halves of characters, which no file of text can hold.
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _joined(texts: Iterable[str]) -> Iterator[str]:
    some: list[str] = []
    size = 0
    for text in texts:
        some.append(text)
        size += len(text)
        if size > AT_ONCE:
            yield "\n".join(some)
            some, size = [], 0
    if some:
        yield "\n".join(some)


MAGIC = b"PAR1"
ROWS_AT_ONCE = 256


def is_parquet(path: Path) -> bool:
    """Whether a file begins as Parquet files do."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def row_groups(path: Path) -> int:
    """Into how many pieces a file is divided."""
    with _opened(path) as file:
        return int(file.num_row_groups)


def read_parquet(path: Path, field: str, first: int, last: int) -> Iterator[str]:
    """The texts of some row groups; what has no text is passed over."""
    with _opened(path) as file:
        if field not in file.schema_arrow.names:
            raise InputError(f"{path} has no column {field!r}; {did_you_mean(field, file.schema_arrow.names)}")
        pyarrow = require("pyarrow", "Reading a Parquet file")
        try:
            for batch in file.iter_batches(ROWS_AT_ONCE, row_groups=list(range(first, last)), columns=[field]):
                yield from _texts(batch.column(0).to_pylist(), path, field)
        except (pyarrow.ArrowException, OSError) as error:
            raise _damaged(path, error) from error


def _texts(found: list[Any], path: Path, field: str) -> Iterator[str]:
    for text in found:
        if isinstance(text, str):
            yield text
        elif text is not None:
            raise InputError(f"{path}: the column {field!r} should hold texts. Got {text!r}; name another by --field.")


def _opened(path: Path) -> Any:
    pyarrow = require("pyarrow", "Reading a Parquet file")
    parquet = require("pyarrow.parquet", "Reading a Parquet file")
    try:
        return parquet.ParquetFile(path, pre_buffer=False)
    except (pyarrow.ArrowException, OSError) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path}: the Parquet file is damaged or cut off ({error}); fetch it again.")
