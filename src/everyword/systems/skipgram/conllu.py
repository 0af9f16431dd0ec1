"""Parsed sentences, and the format CoNLL-U: one token per line in ten columns, an empty line after each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from everyword.corpus.text_file import read_text
from everyword.errors import InputError

SUFFIXES = (".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zst")
COLUMNS = 10
MOST_TOKENS = 10_000
"""Per sentence; a file without empty lines must not fill the memory."""
LONGEST_NUMBER = 9
"""Digits; Python refuses to read thousands of them."""
NO_BLANK = "SpaceAfter=No"
ROOT = -1
"""The head of a token without a head."""


@dataclass(frozen=True)
class Tree:
    """A dependency tree: a text and, per token, its start, form, head and relation."""

    text: str
    starts: Sequence[int]
    forms: Sequence[str]
    heads: Sequence[int]
    """Indices of tokens, or `ROOT`."""
    relations: Sequence[str]


class Token(NamedTuple):
    """One line of a file."""

    form: str
    head: int
    """From 1; 0 for none."""
    relation: str
    blank: bool
    """Whether a blank follows."""


def is_parsed(path: Path) -> bool:
    """Return whether a file has a name of CoNLL-U, compressed or not."""
    return path.name.lower().endswith(SUFFIXES)


def read_conllu(path: Path) -> Iterator[Tree]:
    """Yield the sentences of a file; comments and lines that are not a single token are skipped."""
    tokens: list[Token] = []
    number = 0
    for number, line in enumerate(read_text(path, "file in CoNLL-U"), start=1):
        if line.strip():
            if (token := _token(line, len(tokens) + 1, f"{path}:{number}")) is not None:
                tokens.append(token)
        elif tokens:
            yield _tree(tokens, f"{path}:{number}")
            tokens = []
    if tokens:
        yield _tree(tokens, f"{path}:{number}")


def _token(line: str, expected: int, where: str) -> Token | None:
    if line.startswith("#"):
        return None
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        raise InputError(
            f"{where}: a token of CoNLL-U has {COLUMNS} columns with tabs between them. Got {len(columns)}; "
            "fix the line, or rename the file if it is plain text."
        )
    index, form, head, relation, misc = (columns[column] for column in (0, 1, 6, 7, 9))
    if "-" in index or "." in index:  # several tokens written as one, or a token that is not written
        return None
    if index != str(expected) or expected > MOST_TOKENS:
        raise InputError(
            f"{where}: tokens are counted from 1 in each sentence, up to {MOST_TOKENS:,}; {expected} was expected. "
            f"Got {index[:60]!r}; put an empty line after each sentence."
        )
    if not (head.isascii() and head.isdigit() and len(head) <= LONGEST_NUMBER) or head == index:
        raise InputError(
            f"{where}: the seventh column must be the number of the head of this token, or 0. Got {head[:60]!r}; "
            "give a file that was parsed."
        )
    return Token(form, int(head), relation, NO_BLANK not in misc.split("|"))


def _tree(tokens: Sequence[Token], where: str) -> Tree:
    starts, text = [], ""
    for token in tokens:
        starts.append(len(text))
        text += token.form + " " * token.blank
        if token.head > len(tokens):
            raise InputError(
                f"{where}: in the sentence that ends here, the head of the token {token.form[:60]!r} is number "
                f"{token.head}, but there are only {len(tokens)}; fix the file."
            )
    return Tree(
        text.rstrip(),
        starts,
        [token.form for token in tokens],
        [token.head - 1 for token in tokens],
        [token.relation for token in tokens],
    )
