"""Exceptions raised by everyword.

A message is one sentence: what was expected, what was seen and what to do about it. The shell prints it as it is; a
program can catch `EverywordError`, and no file is then left half written.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class EverywordError(Exception):
    """Base of all errors that everyword raises on purpose."""


class InputError(EverywordError):
    """A file, a word or an argument that cannot be used as it is."""


class NoScoreError(InputError):
    """A task has no score for these vectors, this data or this noise; one of many tasks is then skipped."""


class ConfigError(EverywordError):
    """A configuration with one or more problems; the message lists all of them."""


class UnknownNameError(EverywordError, KeyError):
    """A name that is not registered; the message suggests similar ones."""

    def __str__(self) -> str:
        # KeyError would print the message quoted and escaped.
        return str(self.args[0])


class MissingExtraError(EverywordError, ImportError):
    """A missing optional package; the message has the pip command."""


class DamagedModelError(EverywordError):
    """A saved model whose files are missing, altered or of a newer format."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint for a mistyped name, or all names if none is similar.

    >>> did_you_mean("glov", ["glove", "word2vec"])
    "did you mean 'glove'?"
    >>> did_you_mean("x", ["glove", "word2vec"])
    'choose from glove, word2vec.'
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=2)
    if near:
        return "did you mean " + " or ".join(repr(match) for match in near) + "?"
    return f"choose from {', '.join(names)}." if names else "none is registered."
