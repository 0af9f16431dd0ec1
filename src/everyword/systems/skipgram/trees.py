"""A sentence with its syntax: each token hangs on another one by a relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ROOT = -1
"""The head of a token that hangs on no other."""


@dataclass(frozen=True)
class Tree:
    """A text and its tokens, side by side."""

    text: str
    starts: Sequence[int]
    """Where in the text each token begins."""
    forms: Sequence[str]
    heads: Sequence[int]
    """The place of the token that each hangs on, or `ROOT`."""
    relations: Sequence[str]
