"""Files: read as lines of text, written whole or not at all, told apart by their checksums."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from everyword.errors import InputError

BYTE_ORDER_MARK = "\ufeff"


def read_lines(path: Path, what: str) -> list[str]:
    """The lines of a UTF-8 file, which may be gzipped, without line ends; `what` is what it should hold."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
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


def write_whole(path: Path, content: bytes | str) -> None:
    """Write beside the target, then rename: a reader sees the old file or the new one, never half of one."""
    beside = path.with_name(path.name + ".partial")
    beside.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    os.replace(beside, path)


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
