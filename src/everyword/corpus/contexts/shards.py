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
SAMPLED_BYTES = 1 << 20
TO_THE_END = -1
JSON_LINES = (".jsonl", ".ndjson")
BLOCK_SIZE = 1 << 19
PARQUET_MAGIC = b"PAR1"
PARQUET_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Shard:
    """A range of bytes of a plain text, one row group of a Parquet file, or a whole compressed file."""

    path: Path
    kind: str
    """text, json or parquet"""
    first: int
    last: int
    """Bytes or row groups, the last one excluded; -1 for the end of the file."""
    bytes: int
    """The share of the file's size, for progress bars."""
    name: str
    """The same for the same content, whatever the path of the file."""


def split_corpus(corpus: Iterable[Path]) -> list[Shard]:
    """Return the shards of files, in their order."""
    paths = list(corpus)
    if not paths:
        raise InputError("A corpus of at least one file is needed. Got none.")
    for path in paths:
        check_is_file(path, "text, JSON lines or Parquet file")
        if paths.count(path) > 1:
            raise InputError(f"{path} is given twice, and its sentences would count twice; name it once.")
    return [shard for path in paths for shard in _split_file(path)]


def file_fingerprint(path: Path) -> str:
    """Return a hash of a file's size, first and last megabyte, so that large files need not be read as a whole."""
    size = path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(SAMPLED_BYTES))
        file.seek(max(size - SAMPLED_BYTES, 0))
        digest.update(file.read(SAMPLED_BYTES))
    return digest.hexdigest()[:16]


def _split_file(path: Path) -> Iterator[Shard]:
    fingerprint, size, kind = file_fingerprint(path), path.stat().st_size, _kind(path)
    ranges = list(_ranges(path, kind, size))
    for number, (first, last) in enumerate(ranges):
        share = size * (number + 1) // len(ranges) - size * number // len(ranges)
        yield Shard(path, kind, first, last, share, f"{fingerprint}-{kind}-{first}-{last}")


def _ranges(path: Path, kind: str, size: int) -> Iterator[tuple[int, int]]:
    if kind == "parquet":
        with _open_parquet(path) as file:
            yield from ((group, group + 1) for group in range(int(file.num_row_groups)))
    elif InputFile(path).container != "plain":
        yield 0, TO_THE_END
    else:
        for first in range(0, max(size, 1), BYTES_PER_SHARD):
            yield first, min(first + BYTES_PER_SHARD, size)


def _kind(path: Path) -> str:
    with path.open("rb") as file:
        if file.read(len(PARQUET_MAGIC)) == PARQUET_MAGIC:
            return "parquet"
    return "json" if any(suffix.lower() in JSON_LINES for suffix in path.suffixes[-2:]) else "text"


def read_blocks(shard: Shard, field: str) -> Iterator[str]:
    """Read all text of a shard, whole lines at a time.

    Args:
        shard: What to read.
        field: The field of JSON lines, or the column of Parquet files, that holds the text.
    """
    if shard.kind == "parquet":
        return _joined(_parquet_texts(shard, field))
    texts = _decoded(shard)
    return _joined(_json_texts(texts, shard, field)) if shard.kind == "json" else texts


def _decoded(shard: Shard) -> Iterator[str]:
    source = InputFile(shard.path)
    try:
        for start, raw in _raw_blocks(source.open(), shard):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{shard.path}: the text at byte {start + error.start:,} is not UTF-8; convert the file to UTF-8."
                ) from None
            yield text.removeprefix(BYTE_ORDER_MARK) if start == 0 else text
    except DAMAGE as error:
        raise damaged(shard.path, error) from error
    finally:
        source.close()


def _raw_blocks(stream: IO[bytes], shard: Shard) -> Iterator[tuple[int, bytes]]:
    """Yield whole lines with the offset of their first byte; a line belongs to the shard in which it begins."""
    offset = shard.first
    if offset:
        stream.seek(offset - 1)
        offset += len(_rest_of_line(stream, shard)) - 1
    while offset < shard.last or shard.last == TO_THE_END:
        raw = stream.read(BLOCK_SIZE if shard.last == TO_THE_END else min(BLOCK_SIZE, shard.last - offset))
        if not raw:
            return
        if not raw.endswith(b"\n"):
            raw += _rest_of_line(stream, shard)
        yield offset, raw.removesuffix(b"\n")
        offset += len(raw)


def _rest_of_line(stream: IO[bytes], shard: Shard) -> bytes:
    raw = stream.readline(LONGEST_LINE)
    if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
        raise InputError(f"{shard.path} has a line of more than {LONGEST_LINE:,} bytes; break it into lines.")
    return raw


def _json_texts(blocks: Iterable[str], shard: Shard, field: str) -> Iterator[str]:
    for block in blocks:
        for line in block.split("\n"):
            if line.strip():
                yield _json_text(line, shard, field)


def _json_text(line: str, shard: Shard, field: str) -> str:
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


def _parquet_texts(shard: Shard, field: str) -> Iterator[str]:
    """Yield the texts of some row groups; nulls are skipped."""
    path = shard.path
    with _open_parquet(path) as file:
        if field not in file.schema_arrow.names:
            raise InputError(f"{path} has no column {field!r}; {did_you_mean(field, file.schema_arrow.names)}")
        pyarrow = require("pyarrow", "Reading a Parquet file")
        groups = list(range(shard.first, shard.last))
        try:
            for batch in file.iter_batches(PARQUET_ROWS_AT_ONCE, row_groups=groups, columns=[field]):
                for text in batch.column(0).to_pylist():
                    if text is not None and not isinstance(text, str):
                        raise InputError(
                            f"{path}: the column {field!r} should hold texts. Got {text!r}; name another by --field."
                        )
                    if text is not None:
                        yield text
        except (pyarrow.ArrowException, OSError) as error:
            raise _damaged_parquet(path, error) from error


def _open_parquet(path: Path) -> Any:
    pyarrow = require("pyarrow", "Reading a Parquet file")
    parquet = require("pyarrow.parquet", "Reading a Parquet file")
    try:
        return parquet.ParquetFile(path, pre_buffer=False)
    except (pyarrow.ArrowException, OSError) as error:
        raise _damaged_parquet(path, error) from error


def _damaged_parquet(path: Path, error: Exception) -> InputError:
    return InputError(f"{path}: the Parquet file is damaged or cut off ({error}); fetch it again.")


def _joined(texts: Iterable[str]) -> Iterator[str]:
    waiting: list[str] = []
    size = 0
    for text in texts:
        waiting.append(text)
        size += len(text)
        if size > BLOCK_SIZE:
            yield "\n".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield "\n".join(waiting)
