"""Text in and out: UTF-8 whatever the locale, line by line; a file appears whole or not at all."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

import click

from everyword.errors import InputError

Item = TypeVar("Item")

STANDARD_INPUT = Path("-")
BYTE_ORDER_MARK = "\ufeff"
LIKE_A_FILE = re.compile(r"\S+\.(txt|md|csv|tsv|jsonl?|parquet)(\.(gz|xz|bz2|zst))?", re.IGNORECASE)
"""A single word that nobody would write in a text, but for a file."""

text_file = click.Path(path_type=Path, allow_dash=True)
"""The type of an option that names a text to read; "-" is standard input."""


class Words:
    """Words from the arguments, a file or standard input; blank ones are counted, and skipped unless `keep_blank`."""

    def __init__(self, arguments: Iterable[str], path: Path | None = None, *, keep_blank: bool = False) -> None:
        self.blank = 0
        self._keep_blank = keep_blank
        self._arguments = [valid_text(word) for word in arguments]
        self._path = path
        if self._arguments and path is not None:
            raise click.UsageError("Words come as arguments or from --input, not from both.")
        if not self._arguments and path is None:
            refuse_terminal("Give words as arguments, or one per line on standard input.")

    def __iter__(self) -> Iterator[str]:
        lines = self._arguments or (line for _, line in read_lines(self._path))
        for line in lines:
            word = stripped(line)
            self.blank += not word
            if word or self._keep_blank:
                yield word

    def remark_blank(self) -> None:
        """Say how many words were skipped."""
        if self.blank:
            click.echo(f"skipped {self.blank:,} blank", err=True)


def read_lines(path: Path | None = None) -> Iterator[tuple[int, str]]:
    """Read numbered lines, with their line ends, of a UTF-8 file or of standard input."""
    path = path or STANDARD_INPUT
    name = "standard input" if path == STANDARD_INPUT else str(path)
    with click.open_file(str(path), "rb") as file:
        for number, raw in enumerate(file, start=1):
            yield number, _decoded(raw, name, number)


def stripped(word: str) -> str:
    """Return a word without white space, line ends and a byte order mark around it."""
    return word.removeprefix(BYTE_ORDER_MARK).strip()


def refuse_terminal(remedy: str) -> None:
    """Say what is missing instead of waiting for input from a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError(remedy)


def valid_text(argument: str) -> str:
    """Return an argument as the UTF-8 it was typed in; refuse anything else."""
    try:
        # What the locale could not decode, Python passes on as lone surrogates, which turn back into bytes here.
        return argument.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        raise InputError(f"The argument {argument!r} is not valid text; type it in UTF-8.") from None


def is_file(given: str) -> bool:
    """Return whether an argument names a file, rather than being a text; refuse the name of one that is not there."""
    try:
        found = Path(given).is_file()
    except (OSError, ValueError):  # a long text is no name of a file
        return False
    if not found and LIKE_A_FILE.fullmatch(given):
        raise InputError(f"There is no file {given}.")
    return found


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Split items into lists of at most `size`.

    >>> list(batches("abc", 2))
    [['a', 'b'], ['c']]
    """
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


@contextmanager
def open_text(path: Path | None) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes text to standard output, or to a file that appears when all of it is written."""
    if path is None:
        # As bytes, so that line ends stay what they are.
        yield lambda text: click.echo(text.encode("utf-8"), nl=False)
        return
    from everyword.atomic import AtomicFiles

    staging = AtomicFiles(path)
    try:
        file = staging.open()
        yield lambda text: file.write(text.encode("utf-8"))
        staging.commit()
    except BaseException:
        staging.discard()
        raise


def _decoded(raw: bytes, name: str, number: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name}:{number}: this line is not UTF-8 text; convert the text first.") from None
