"""Sentences with one tag a token, from CoNLL files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from everyword.errors import InputError
from everyword.evaluation.tasks.extrinsic.spans import first_break
from everyword.files import read_lines

Scheme = Literal["bio", "plain"]
"""bio: tags mark spans and are scored as spans; plain: each tag stands for itself, as a part of speech does."""


@dataclass(frozen=True)
class TaggedSentences:
    """Sentences as tokens, and the tag of each token."""

    name: str
    tokens: tuple[tuple[str, ...], ...]
    tags: tuple[tuple[str, ...], ...]
    scheme: Scheme = "bio"

    def __len__(self) -> int:
        return len(self.tokens)


def read_tagged(
    path: Path,
    *,
    column: int = -1,
    token_column: int = 0,
    scheme: Scheme = "bio",
    tags: Collection[str] | None = None,
) -> TaggedSentences:
    """Read one token a line, columns between tabs or blanks, an empty line after each sentence.

    `column` is the tag's, counted from 0, or from the end if negative. With `tags`, any other tag is an error.
    """
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    rows: list[tuple[int, str, str]] = []
    for number, line in enumerate([*read_lines(path, "CoNLL file"), ""], start=1):
        if line.strip():
            rows.append((number, *_cells(path, number, line, (token_column, column))))
            if tags is not None and rows[-1][2] not in tags:
                raise InputError(
                    f"{path}:{number}: the tag must be one of {', '.join(sorted(tags))}. Got {rows[-1][2]!r} instead."
                )
        elif rows:
            found.append(_sentence(path, rows, scheme))
            rows = []
    if not found:
        raise InputError(f"{path} holds no sentences; one or more are needed.")
    return TaggedSentences(path.name.partition(".")[0], tuple(t for t, _ in found), tuple(t for _, t in found), scheme)


def _cells(path: Path, number: int, line: str, columns: Sequence[int]) -> tuple[str, str]:
    cells = line.split("\t") if "\t" in line else line.split()
    for column in columns:
        if not -len(cells) <= column < len(cells):
            raise InputError(
                f"{path}:{number}: has no column {column}; it has {len(cells)} columns. Got {line[:60]!r}."
            )
    token, tag = (cells[column] for column in columns)
    if not token.strip() or not tag.strip():
        raise InputError(f"{path}:{number}: needs a token and a tag, neither empty. Got {line[:60]!r}.")
    return token, tag


def _sentence(
    path: Path, rows: Sequence[tuple[int, str, str]], scheme: Scheme
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    tags = tuple(tag for _, _, tag in rows)
    if scheme == "bio" and (place := first_break(tags)) is not None:
        raise InputError(
            f"{path}:{rows[place][0]}: the tag {tags[place]!r} is no valid BIO here: use O, B-type, or I-type after B "
            f"or I of that type. For tags that mark no spans, read the file with scheme='plain'."
        )
    return tuple(token for _, token, _ in rows), tags
