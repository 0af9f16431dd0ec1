"""Word counts of a corpus: counted here, or read from a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from everyword.atomic import write_lines
from everyword.errors import InputError
from everyword.files import parse_json

LETTERS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CONTEXTS = "contexts.jsonl"
"""The file with counts in a folder that `everyword contexts` wrote."""


def count_words(texts: Iterable[Path]) -> Counter[str]:
    """Count the lower-cased words of text files, plain or compressed; digits are not words."""
    from everyword.corpus.text_file import read_text

    found: Counter[str] = Counter()
    for path in texts:
        for line in read_text(path, "text file"):
            found.update(LETTERS.findall(line.lower()))
    return found


def write_counts(path: Path, counts: Mapping[str, int]) -> None:
    """Write word and count between tabs, the most frequent first."""
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    write_lines(path, ["word\tcount", *(f"{word}\t{count}" for word, count in rows)])


def read_counts(path: Path) -> dict[str, int]:
    """Read counts from word and count between tabs, from JSON lines, or from a folder of `everyword contexts`."""
    from everyword.corpus.text_file import read_text

    file = path / CONTEXTS if path.is_dir() else path
    counts: dict[str, int] = {}
    for number, line in enumerate(read_text(file, "file of counts"), start=1):
        cells = _cells(line)
        if cells is None:
            if number == 1:
                continue  # names of the columns
            raise InputError(f"{file}:{number}: needs a word and its count between tabs. Got {line[:60]!r}.")
        word, count = cells
        counts[word.lower()] = counts.get(word.lower(), 0) + count
    if not counts:
        raise InputError(f"{file} holds no counts; a line needs a word and its count between tabs.")
    return counts


def _cells(line: str) -> tuple[str, int] | None:
    try:
        if line.startswith("{") and "\t" not in line:  # JSON writes a tab as \\t, and a word may begin like this
            record = parse_json(line)
            return str(record["word"]), int(record["count"])
        word, count = line.split("\t")[:2]
        return (word, int(count)) if word and int(count) >= 0 else None
    except (ValueError, KeyError, TypeError, OverflowError):
        return None
