"""The words that vectors are made for: a list, a frequency list, or the words of a table."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.vectors.formats.guess import guess
from everyword.vectors.read import open_rows

NAMED_IN_A_WARNING = 5


def read_words(path: Path, limit: int | None = None) -> list[str]:
    """The first `limit` words of a file, each once.

    The file has one word (or phrase) a line, or a word and more columns behind tabs, or is a vector table.
    """
    words: dict[str, None] = {}
    for word in filter(None, map(str.strip, _listed(path))):
        words[word] = None
        if len(words) == limit:  # before the rest of a large table is read
            break
    if not words:
        raise InputError(f"{path} holds no words; one a line was expected.")
    return list(words)


def unique_words(words: Iterable[str]) -> list[str]:
    """The words in their order without repeats; at least one is needed."""
    unique = list(dict.fromkeys(words))
    if not unique:
        raise InputError("The list of words is empty; give at least one word.")
    for word in unique:
        _check_is_text(word)
    return unique


def warn_left_out(left_out: Sequence[str], total: int, why: str, remedy: str) -> None:
    """Warn of words without a vector, and refuse to go on if that is all of them."""
    if not left_out:
        return
    more = ", ..." if len(left_out) > NAMED_IN_A_WARNING else ""
    named = ", ".join(map(repr, left_out[:NAMED_IN_A_WARNING])) + more
    if len(left_out) == total:
        raise InputError(f"None of {total:,} words gets a vector, because {why} ({named}); {remedy}.")
    # The caller's line is two frames up: past this function and the one that makes the table.
    warnings.warn(f"{len(left_out):,} of {total:,} words are left out, because {why}: {named}", stacklevel=3)


def _check_is_text(word: str) -> None:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"The word {word!r} holds half of a character and is no text; leave it out.") from None


def _listed(path: Path) -> Iterator[str]:
    if _is_table(path):
        with open_rows(path) as rows:
            for words, _ in rows:
                yield from words
    else:
        columns = (line.split("\t") for line in read_text(path, "list of words"))
        yield from (column[0] for column in _without_head(columns))


def _is_table(path: Path) -> bool:
    try:
        guess(path)
    except InputError:
        return False
    try:
        # A frequency list looks like a table of dimension 1.
        return "\t" not in next(read_text(path, "list of words"))
    except InputError:  # no text, and a table all the same
        return True


def _without_head(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """A line of column names goes: one whose second column is no number while the next line's is one."""
    first = list(islice(rows, 2))
    if [_counts(row) for row in first] == [False, True]:
        first = first[1:]
    yield from first
    yield from rows


def _counts(row: list[str]) -> bool:
    return len(row) > 1 and row[1].strip().replace(".", "", 1).isdigit()
