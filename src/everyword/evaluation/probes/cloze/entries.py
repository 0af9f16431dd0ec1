"""The questions of the probe, and the file that keeps them."""

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


@dataclass(frozen=True)
class Entry:
    """A keyword, and words that answer what it is asked by a relation."""

    split: str
    relation: str
    band: str
    keyword: str
    count: int
    """How often the keyword stands in the corpus that bands are made of."""
    targets: tuple[str, ...]


def write_entries(path: Path, entries: Iterable[Entry]) -> None:
    """One entry a line, tab-separated, with a header; blanks separate targets."""
    rows = ((one.split, one.relation, one.band, one.keyword, str(one.count), " ".join(one.targets)) for one in entries)
    write_lines(path, ("\t".join(row) for row in (COLUMNS, *rows)))


def read_entries(path: Path) -> list[Entry]:
    """Read what `write_entries` wrote."""
    entries = []
    for number, (split, relation, band, keyword, count, targets) in read_rows(path, "probe", COLUMNS):
        for seen, allowed in ((split, SPLITS), (relation, RELATIONS), (band, BANDS)):
            if seen not in allowed:
                raise InputError(
                    f"{path}:{number}: {seen!r} is none of {', '.join(allowed)}; build it with 'everyword cloze build'."
                )
        if not count.isdigit():
            raise InputError(f"{path}:{number}: the count must be a whole number. Got {count!r}; mend the line.")
        entries.append(Entry(split, relation, band, keyword, int(count), tuple(targets.split())))
    if not entries:
        raise InputError(f"{path} holds no entries; build the probe with lower thresholds.")
    return entries


def sizes(entries: Sequence[Entry]) -> dict[tuple[str, str, str], int]:
    """How many entries each cell has: relation, band and split."""
    cells = {(relation, band, split): 0 for relation in RELATIONS for band in BANDS for split in SPLITS}
    for one in entries:
        cells[one.relation, one.band, one.split] += 1
    return {cell: size for cell, size in cells.items() if size}
