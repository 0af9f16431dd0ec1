"""Errors as one sentence and an exit code, warnings as one line, an interrupted run as a remark."""

from __future__ import annotations

import errno
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from everyword.errors import EverywordError

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""The numbers of errors of a disk that is full, or of a limit on what may be written."""
UNEXPECTED = 1
REFUSED = 2
INTERRUPTED = 130
"""What shells report after Ctrl-C: 128 plus the number of the signal."""


def explain(error: Exception) -> tuple[str, int]:
    """Return what to print and how to exit.

    >>> explain(EverywordError("There is no file x.vec; check the path."))
    ('There is no file x.vec; check the path.', 2)
    """
    if isinstance(error, EverywordError):
        return _one_line(str(error)), REFUSED
    if isinstance(error, click.ClickException):
        return _one_line(error.format_message()) + _where_to_look(error), REFUSED
    if isinstance(error, OSError):
        return _one_line(_system_sentence(error)), REFUSED
    seen = f"unexpected {type(error).__name__}: {error}".rstrip(": ")
    return _one_line(f"{seen}; run 'everyword --debug ...' to see where, and please report it."), UNEXPECTED


def _where_to_look(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f" See '{context.command_path} --help'." if context else ""


def _system_sentence(error: OSError) -> str:
    if error.errno in NO_ROOM:
        return f"A file cannot be written: {error.strerror}. Make room, or write to another place."
    if error.filename is None or error.strerror is None:
        return str(error) or type(error).__name__
    return f"{error.filename}: {error.strerror}."


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines())


def exit_interrupted(remark: str) -> NoReturn:
    """End a run that Ctrl-C stopped, with a remark on how to go on."""
    click.echo(remark, err=True)
    raise click.exceptions.Exit(INTERRUPTED)


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print warnings of the library, such as skipped rows, as plain lines; those of other packages stay as they are."""
    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=UserWarning, module=r"everyword\.")
        show_in_full = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if category is UserWarning:
                click.echo(f"everyword: {message}", err=True)
            else:
                show_in_full(message, category, *where, **more)

        warnings.showwarning = show
        yield
