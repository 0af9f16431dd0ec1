"""Read text and JSON files; checksums of files and fingerprints of configurations."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
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
    """Read the lines of a UTF-8 file, which may be gzipped; `what` names its content in errors."""
    try:
        text = (_unpacked(path) if path.suffix == ".gz" else path.read_bytes()).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"There is no {what} {path}; check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; a {what} was expected. Check the path.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}. Save it as UTF-8.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} is not a complete gzip file: {error}. Fetch it again.") from None
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
    """Parse JSON; raise ValueError for invalid text, including nesting that is too deep."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def read_object(path: Path, most: int = MOST_JSON) -> dict[str, Any]:
    """Read a JSON object; raise ValueError if the file holds anything else."""
    if not path.is_file():  # a pipe or a device would be read for ever
        raise FileNotFoundError(errno.ENOENT, "this is not a file", str(path))
    if path.stat().st_size > most:
        raise ValueError(f"it is longer than {most:,} bytes")
    found = parse_json(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError("it holds no JSON object")
    return found


def read_kept(path: Path) -> dict[str, Any]:
    """Read a JSON object that an earlier run kept; raise InputError if it is damaged."""
    try:
        return read_object(path)
    except ValueError as error:
        raise InputError(f"{path} does not hold scores ({error!s:.80}); delete it to make them again.") from None


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def fingerprint(content: Any, *, sort_keys: bool = True) -> str:
    """Return the SHA-256 of a text, of bytes or, for anything else, of its JSON.

    Files that were made from the same settings have the same fingerprint; it decides whether they can be used again.
    """
    if not isinstance(content, bytes):
        text = content if isinstance(content, str) else json.dumps(content, sort_keys=sort_keys)
        content = text.encode("utf-8")
    return hashlib.sha256(content).hexdigest()


def checksum_of_all(paths: Iterable[Path]) -> str:
    """Return one SHA-256 for several files in order: that of their checksums."""
    return hashlib.sha256("".join(map(checksum, paths)).encode()).hexdigest()
