"""CoNLL-U: sentences that were parsed before, a token a line in ten columns, an empty line behind each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.systems.skipgram.trees import Tree

SUFFIXES = (".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zst")
COLUMNS = 10
MOST_TOKENS = 10_000
"""Of a sentence; a file without empty lines must not fill the memory."""
NO_BLANK = "SpaceAfter=No"


class Token(NamedTuple):
    """One line."""

    form: str
    head: int
    """Counted from 1; 0 for none."""
    relation: str
    blank: bool
    """Whether a blank stands behind it."""


def is_parsed(path: Path) -> bool:
    """Whether a file is called as one in CoNLL-U, compressed or not."""
    return path.name.lower().endswith(SUFFIXES)


def read_conllu(path: Path) -> Iterator[Tree]:
    """The sentences of a file; comments, and lines of what is no single token, are passed over."""
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


def _token(line: str, expected: int, place: str) -> Token | None:
    if line.startswith("#"):
        return None
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        raise InputError(
            f"{place}: a token of CoNLL-U has {COLUMNS} columns with tabs between them. Got {len(columns)}; "
            "mend the line, or name a file of plain text otherwise."
        )
    identity, form, head, relation, misc = (columns[column] for column in (0, 1, 6, 7, 9))
    if "-" in identity or "." in identity:  # several tokens written as one, or a token that is not written
        return None
    if identity != str(expected) or expected > MOST_TOKENS:
        raise InputError(
            f"{place}: tokens are counted from 1 in each sentence, up to {MOST_TOKENS:,}; {expected} was expected. "
            f"Got {identity!r}; put an empty line behind each sentence."
        )
    if not (head.isascii() and head.isdigit()) or head == identity:
        raise InputError(
            f"{place}: the seventh column is the number of the token that this one hangs on, or 0. Got {head!r}; "
            "give a file that was parsed."
        )
    return Token(form, int(head), relation, NO_BLANK not in misc.split("|"))


def _tree(tokens: Sequence[Token], place: str) -> Tree:
    starts, text = [], ""
    for token in tokens:
        starts.append(len(text))
        text += token.form + " " * token.blank
        if token.head > len(tokens):
            raise InputError(
                f"{place}: the token {token.form!r} of the sentence that ends here hangs on number {token.head}, and "
                f"there are {len(tokens)}; mend the file."
            )
    return Tree(
        text.rstrip(),
        starts,
        [token.form for token in tokens],
        [token.head - 1 for token in tokens],
        [token.relation for token in tokens],
    )
