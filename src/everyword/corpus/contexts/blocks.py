"""A shard → blocks of text: whole lines, some hundred thousand characters at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO

from everyword.corpus.contexts.parquet import read_parquet
from everyword.corpus.contexts.shards import TO_THE_END, Shard
from everyword.corpus.text_file import BYTE_ORDER_MARK, LONGEST_LINE
from everyword.errors import InputError
from everyword.vectors.input_file import DAMAGE, InputFile, damaged

AT_ONCE = 1 << 19


def blocks(shard: Shard, field: str) -> Iterator[str]:
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
