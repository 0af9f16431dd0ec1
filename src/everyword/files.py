"""Files: read as lines of text or as JSON, written whole or not at all, told apart by their checksums."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from everyword.errors import InputError

BYTE_ORDER_MARK = "\ufeff"
MOST_UNPACKED = 1 << 28
"""Bytes of a text that is read as a whole: a small gzip file must not fill the memory."""
MOST_JSON = 1 << 26


def read_lines(path: Path, what: str) -> list[str]:
    """The lines of a UTF-8 file, which may be gzipped, without line ends; `what` is what it should hold."""
    try:
        text = (_unpacked(path) if path.suffix == ".gz" else path.read_bytes()).decode("utf-8")
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"There is no {what} {path}; check the path.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}. Save it as UTF-8.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} is no whole gzip file: {error}. Get it again.") from None
    # Not splitlines: a word may hold what Unicode calls a line end.
    lines = text.removeprefix(BYTE_ORDER_MARK).rstrip("\n").split("\n")
    if lines == [""]:
        raise InputError(f"{path} is empty; a {what} was expected.")
    return [line.rstrip("\r") for line in lines]


def _unpacked(path: Path) -> bytes:
    with gzip.open(path) as file:
        raw = file.read(MOST_UNPACKED + 1)
    if len(raw) > MOST_UNPACKED:
        raise InputError(f"{path} unpacks to more than {MOST_UNPACKED:,} bytes; give a smaller file.")
    return raw


def parse_json(text: str) -> Any:
    """What a text says as JSON; a ValueError for whatever cannot be said, brackets in thousands of brackets too."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def read_object(path: Path, most: int = MOST_JSON) -> dict[str, Any]:
    """The JSON object that a file holds; a ValueError if it holds anything else."""
    if not path.is_file():  # a pipe or a device would be read for ever
        raise FileNotFoundError(path)
    if path.stat().st_size > most:
        raise ValueError(f"it is longer than {most:,} bytes")
    found = parse_json(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError("it holds no JSON object")
    return found


def beside(path: Path) -> Path:
    """Where a file is written before it takes its place."""
    return path.with_name(path.name + ".partial")


def write_whole(path: Path, content: bytes | str) -> None:
    """Write beside the target, then rename: a reader sees the old file or the new one, never half of one."""
    beside(path).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    os.replace(beside(path), path)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text of one item a line, whole or not at all."""
    write_whole(path, "".join(line + "\n" for line in lines))


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def checksum_of_all(paths: Iterable[Path]) -> str:
    """One SHA-256 for several files in a given order: that of their checksums."""
    return hashlib.sha256("".join(map(checksum, paths)).encode()).hexdigest()
