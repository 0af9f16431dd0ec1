"""Semantic roles (PropBank): sentences, their predicates, and the role that each word plays for a predicate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError

PREDICATE = "V"
"""The tag of the predicate itself, which is not a role."""


@dataclass(frozen=True)
class Roles:
    """A predicate of a sentence, and the IOB2 tag of each token."""

    tokens: tuple[str, ...]
    index: int
    """The token of the predicate."""
    tags: tuple[str, ...]


def role_sentences(path: Path) -> Iterator[tuple[tuple[str, ...], list[Roles]]]:
    """Yield the tokens and the predicates of each sentence.

    Args:
        path: JSON lines with tokens and predicates, each with the index of its token and a tag for every token.

    Raises:
        InputError: If a line is something else, with path and line.
    """
    for number, record in read_json_lines(path, "set of roles", {"tokens": list, "predicates": list}):
        tokens = tuple(str(token) for token in record["tokens"])
        try:
            found = [_roles(predicate, tokens) for predicate in record["predicates"]]
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f"{path}:{number}: predicates must have the index of one of {len(tokens)} tokens, and an IOB2 "
                "tag for each of them; fix this line."
            ) from None
        yield tokens, found


def read_roles(path: Path) -> list[Roles]:
    """Return every predicate of every sentence."""
    found = [roles for _, predicates in role_sentences(path) for roles in predicates]
    if not found:
        raise InputError(f"{path} holds no predicates; one or more are needed.")
    return found


def _roles(predicate: dict[str, Any], tokens: tuple[str, ...]) -> Roles:
    tags, index = predicate["tags"], predicate["index"]
    fitting = isinstance(tags, list) and len(tags) == len(tokens) and type(index) is int and 0 <= index < len(tokens)
    if not fitting or not all(re.fullmatch(r"O|[BI]-.+", tag) for tag in tags):
        raise ValueError
    return Roles(tokens, index, tuple(tags))
