"""A progress bar on standard error that appears when the number of texts is known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click


@contextmanager
def text_bar(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes the number of texts that are finished, and of all."""
    if quiet:
        yield lambda done, of: None
        return
    bars: list[Any] = []
    with ExitStack() as stack:

        def show(done: int, of: int) -> None:
            if not bars:
                bars.append(stack.enter_context(click.progressbar(length=of, label="texts", file=sys.stderr)))
            bars[0].update(done - bars[0].pos)

        yield show
