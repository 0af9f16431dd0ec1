"""Pairs of words that mean the same: from a dictionary, or spelt alike in both tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.files import read_lines
from everyword.vectors.table import VectorTable

Seeds = Literal["identical", "numerals"]
"""Words that are spelt alike in both tables: all of them, or only numbers."""
HEADERS: dict[tuple[str, ...], tuple[int, int]] = {
    ("source", "target"): (0, 1),
    ("english", "pos", "translation"): (0, 2),
}
"""First lines that name columns, and which two of them are the words; without such a line the first two are."""
NUMERAL = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")

WordPairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Pairs:
    """Rows of two tables that belong together, and what became of the words they were made from."""

    source: IndexArray
    target: IndexArray
    given: int
    """Number of pairs that were looked up."""
    without_source: int = 0
    """Pairs whose source word alone is missing."""
    without_target: int = 0
    """Pairs whose target word alone is missing."""
    without_both: int = 0

    def __len__(self) -> int:
        return len(self.source)

    @property
    def told(self) -> str:
        """A sentence about what was found."""
        dropped = self.without_source + self.without_target + self.without_both
        if not dropped:
            return f"{len(self):,} pairs of words, all in both tables"
        return (
            f"{len(self):,} pairs of {self.given:,}; {dropped:,} dropped: {self.without_source:,} whose first word is "
            f"not in the source table, {self.without_target:,} whose second is not in the target table, "
            f"{self.without_both:,} of both"
        )


def read_dictionary(path: str | Path) -> list[tuple[str, str]]:
    """Read pairs of words from lines of two cells with a tab between them; the file may be gzipped.

    A first line that names the columns source and target, or english, pos and translation, is not a pair.

    Raises:
        InputError: If a line has fewer cells, or the file has no pair.
    """
    lines = read_lines(Path(path), "dictionary")
    header = tuple(lines[0].split("\t"))
    first, second = HEADERS.get(header, (0, 1))
    pairs: list[tuple[str, str]] = []
    for number, line in enumerate(lines, start=1):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and header in HEADERS:
            continue
        if len(cells) <= second or not cells[first] or not cells[second]:
            raise InputError(f"{path}:{number}: needs two words with a tab between them. Got {line[:60]!r}; fix it.")
        pairs.append((cells[first], cells[second]))
    if not pairs:
        raise InputError(f"{path} holds no pair of words; a line needs a word, a tab and its translation.")
    return list(dict.fromkeys(pairs))


def find_row(table: VectorTable, word: str) -> int | None:
    """Return the row of a word as it is written, or in lower case."""
    row = table.index.get(word)
    return table.index.get(word.lower()) if row is None else row


def look_up(words: WordPairs, source: VectorTable, target: VectorTable) -> Pairs:
    """Find the rows of pairs of words; those with a word that a table lacks are dropped and counted.

    Raises:
        InputError: If no pair is left, or far more would be with the two columns swapped.
    """
    found: dict[tuple[int, int], None] = {}
    missing = [0, 0, 0]
    for one, other in words:
        row, column = find_row(source, one), find_row(target, other)
        if row is not None and column is not None:
            found[row, column] = None
        else:
            missing[2 if row is None and column is None else 0 if row is None else 1] += 1
    if not found:
        raise InputError(_nothing_found(words, missing))
    if len(found) < len(words) / 2:
        _check_order(words, source, target, len(found))
    rows = np.array(list(found), dtype=np.int64)
    return Pairs(rows[:, 0], rows[:, 1], len(words), *missing)


def _check_order(words: WordPairs, source: VectorTable, target: VectorTable, found: int) -> None:
    """Refuse a dictionary of the other direction; the words that both languages share would make a poor map of it."""
    swapped = sum(find_row(source, other) is not None and find_row(target, one) is not None for one, other in words)
    if swapped > 1.5 * found:
        raise InputError(
            f"Only {found:,} of the {len(words):,} pairs of the dictionary are in the tables, but {swapped:,} are if "
            "the columns are swapped; give the dictionary with the words of the source table first."
        )


def _nothing_found(words: WordPairs, missing: Sequence[int]) -> str:
    if not words:
        return "The dictionary holds no pair of words; a line needs a word, a tab and its translation."
    without_source, without_target, without_both = missing
    if without_both == len(words):
        where = "none of their words is in either table"
    elif without_source + without_both == len(words):
        where = "none of their first words is in the source table"
    elif without_target + without_both == len(words):
        where = "none of their second words is in the target table"
    else:
        where = "no pair has both"
    example = f"{words[0][0]!r} and {words[0][1]!r}"
    return (
        f"None of the {len(words):,} pairs of the dictionary, such as {example}, can be used: {where}; "
        "check the languages and the order of the columns."
    )


def alike(source: VectorTable, target: VectorTable, seeds: Seeds, *, most: int | None = None) -> list[tuple[str, str]]:
    """Return the words that are spelt alike in both tables.

    Args:
        source: One table.
        target: The other.
        seeds: `identical` for all words, `numerals` for numbers only.
        most: Look at the first `most` words of each table only.

    Raises:
        InputError: If there is no such word.
    """
    if seeds not in get_args(Seeds):
        raise InputError(f"The 'seeds' must be {' or '.join(get_args(Seeds))}. Got {seeds!r} instead.")
    others = set(target.words[:most])
    shared: Iterable[str] = (word for word in source.words[:most] if word in others)
    found = [(word, word) for word in shared if seeds == "identical" or NUMERAL.fullmatch(word)]
    if not found:
        what = "word" if seeds == "identical" else "number"
        raise InputError(
            f"The tables share no {what} that could serve as a seed; give a dictionary, or align without supervision."
        )
    return found
