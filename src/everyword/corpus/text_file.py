"""Read text files of any size, plain or compressed, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from everyword.errors import InputError
from everyword.vectors.input_file import DAMAGE, InputFile, damaged

BYTE_ORDER_MARK = "\ufeff"
LONGEST_LINE = 1 << 24
"""Bytes; a file without line ends must not fill the memory."""


def check_is_file(path: Path, what: str) -> None:
    """Raise InputError if a path is not a file; `what` names the expected kind of file."""
    if not path.is_file():
        seen = "is a folder" if path.is_dir() else "does not exist"
        raise InputError(f"{path} {seen}; give the path of a {what}.")


def read_text(path: Path, what: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 file without line ends; `what` names the expected kind of file in messages."""
    check_is_file(path, what)
    source = InputFile(path)
    try:
        for number, raw in enumerate(_raw_lines(source), start=1):
            yield _decoded(raw, path, number).rstrip("\r\n")
    finally:
        source.close()


def _raw_lines(source: InputFile) -> Iterator[bytes]:
    stream = source.open()
    try:
        while raw := stream.readline(LONGEST_LINE):
            yield raw
    except DAMAGE as error:
        raise damaged(source.path, error) from error


def _decoded(raw: bytes, path: Path, number: int) -> str:
    if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
        raise InputError(f"{path}:{number}: this line is longer than {LONGEST_LINE:,} bytes; break it into lines.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}:{number}: this line is not UTF-8 text; convert the file to UTF-8.") from None
    return text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
