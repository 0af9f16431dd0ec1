"""Read lists of words: plain lists, frequency lists or the words of a table of vectors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.vectors.formats.guess import guess
from everyword.vectors.read import open_rows

EXAMPLES_IN_A_MESSAGE = 5


def read_words(path: Path, limit: int | None = None) -> list[str]:
    """Read the first `limit` words of a file, each once.

    The file has one word or phrase per line, perhaps with more columns after tabs, or is a table of vectors.
    """
    words: dict[str, None] = {}
    for word in filter(None, map(str.strip, _entries(path))):
        words[word] = None
        if len(words) == limit:  # before the rest of a large table is read
            break
    if not words:
        raise InputError(f"{path} holds no words; one per line was expected.")
    return list(words)


def unique_words(words: Iterable[str]) -> list[str]:
    """Return words in their order without repeats, or raise InputError if there are none."""
    unique = list(dict.fromkeys(words))
    if not unique:
        raise InputError("The list of words is empty; give at least one word.")
    for word in unique:
        _check_is_text(word)
    return unique


def warn_left_out(left_out: Sequence[str], total: int, why: str, remedy: str) -> None:
    """Warn about words without a vector, or raise InputError if no word has one."""
    if not left_out:
        return
    named = named_examples(left_out)
    if len(left_out) == total:
        raise InputError(f"None of {total:,} words gets a vector, because {why} ({named}); {remedy}.")
    # The caller's line is two frames up: past this function and the one that makes the table.
    warnings.warn(f"{len(left_out):,} of {total:,} words are left out, because {why}: {named}", stacklevel=3)


def named_examples(words: Sequence[str]) -> str:
    """Return the first few words, quoted, for a message.

    >>> named_examples(["a", "b", "c", "d", "e", "f"])
    "'a', 'b', 'c', 'd', 'e', ..."
    """
    more = ", ..." if len(words) > EXAMPLES_IN_A_MESSAGE else ""
    return ", ".join(map(repr, words[:EXAMPLES_IN_A_MESSAGE])) + more


def _check_is_text(word: str) -> None:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"The word {word!r} holds half of a character; leave it out.") from None


def _entries(path: Path) -> Iterator[str]:
    if _is_table(path):
        with open_rows(path) as rows:
            for words, _ in rows:
                yield from words
    else:
        columns = (line.split("\t") for line in read_text(path, "list of words"))
        yield from (column[0] for column in _without_header(columns))


def _is_table(path: Path) -> bool:
    try:
        guess(path)
    except InputError:
        return False
    try:
        # A frequency list looks like a table of dimension 1.
        return "\t" not in next(read_text(path, "list of words"))
    except InputError:  # a binary table
        return True


def _without_header(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """Skip a header line: one whose second column is not a number while that of the next line is."""
    first = list(islice(rows, 2))
    if [_has_count(row) for row in first] == [False, True]:
        first = first[1:]
    yield from first
    yield from rows


def _has_count(row: list[str]) -> bool:
    return len(row) > 1 and row[1].strip().replace(".", "", 1).isdigit()
