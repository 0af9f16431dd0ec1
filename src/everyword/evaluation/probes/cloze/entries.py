"""The questions of the probe: entries, their file, and the phrases in which they are asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.atomic import write_lines
from everyword.corpus.rows import read_rows
from everyword.errors import InputError

COLUMNS = ("split", "relation", "band", "keyword", "count", "targets")
RELATIONS = ("antonym", "hypernym", "cohyponym", "corruption")
BANDS = ("rare", "medium", "frequent")
SPLITS = ("dev", "test")
PATTERNS = {
    "antonym": (
        "W is the opposite of _",
        "W is not _",
        "someone who is W is not _",
        "something that is W is not _",
        '" W " is the opposite of " _ "',
    ),
    "hypernym": (
        "W is a _",
        "W is an _",
        "A W is a _",
        "A W is an _",
        '" W " refers to a _',
        '" W " refers to an _',
        "W is a kind of _",
        "A W is a kind of _",
    ),
    "cohyponym": ("W and _", '" W " and " _ "'),
    "corruption": ('" W " is a misspelling of " _ " .', '" W " . did you mean " _ " ?'),
}
"""W is the keyword and _ the answer, as in WNLaMPro's evaluation; "A" is the article that fits the first letter."""
END_MARKS = (".", "?", "!")


@dataclass(frozen=True)
class Entry:
    """A keyword and a relation, with the words that answer it."""

    split: str
    relation: str
    band: str
    keyword: str
    count: int
    """How often the keyword occurs in the corpus that defines the bands."""
    targets: tuple[str, ...]


def write_entries(path: Path, entries: Iterable[Entry]) -> None:
    """Write one entry per line, tab-separated, with a header; blanks separate targets."""
    rows = ((one.split, one.relation, one.band, one.keyword, str(one.count), " ".join(one.targets)) for one in entries)
    write_lines(path, ("\t".join(row) for row in (COLUMNS, *rows)))


def read_entries(path: Path) -> list[Entry]:
    """Read what `write_entries` wrote."""
    entries = []
    for number, (split, relation, band, keyword, count, targets) in read_rows(path, "probe", COLUMNS):
        for seen, allowed in ((split, SPLITS), (relation, RELATIONS), (band, BANDS)):
            if seen not in allowed:
                raise InputError(
                    f"{path}:{number}: {seen!r} is not one of {', '.join(allowed)}; "
                    "build it with 'everyword cloze build'."
                )
        if not count.isdigit():
            raise InputError(f"{path}:{number}: the count must be a whole number. Got {count!r}; fix the line.")
        entries.append(Entry(split, relation, band, keyword, int(count), tuple(targets.split())))
    if not entries:
        raise InputError(f"{path} holds no entries; build the probe with lower thresholds.")
    return entries


def sizes(entries: Sequence[Entry]) -> dict[tuple[str, str, str], int]:
    """Return the number of entries of each relation, band and split."""
    cells = {(relation, band, split): 0 for relation in RELATIONS for band in BANDS for split in SPLITS}
    for one in entries:
        cells[one.relation, one.band, one.split] += 1
    return {cell: size for cell, size in cells.items() if size}


def phrases(relation: str, keyword: str, mask: str) -> list[str]:
    """Return every pattern of a relation with the keyword filled in.

    >>> phrases("hypernym", "apple", "[MASK]")[2]
    'an apple is a [MASK].'
    """
    return [_filled(pattern, keyword, mask) for pattern in PATTERNS[relation]]


def _filled(pattern: str, keyword: str, mask: str) -> str:
    article = "an" if keyword[0] in "aeiou" else "a"
    parts = {"A": article, "W": keyword, "_": mask}
    text = " ".join(parts.get(part, part) for part in pattern.split(" "))
    return text if text.endswith(END_MARKS) else text + "."
