"""Texts with one label each, from tab-separated files."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import InputError
from everyword.files import read_lines

COLUMNS = ["label", "text"]


@dataclass(frozen=True)
class Texts:
    """Texts as tokens, and the label of each."""

    name: str
    tokens: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.tokens)


def read_texts(path: Path, labels: Collection[str] | None = None) -> Texts:
    """Read label and text between tabs, with one header line; blanks separate tokens.

    With `labels`, any other label is an error.
    """
    lines = read_lines(path, "file of labelled texts")
    if lines[0].split("\t") != COLUMNS:
        raise InputError(f"{path}:1: the first line must read label<TAB>text. Got {lines[0][:60]!r}.")
    tokens, found = [], []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or not all(cell.strip() for cell in cells):
            raise InputError(f"{path}:{number}: needs a label and a text between tabs. Got {line[:60]!r}.")
        label, text = cells
        if labels is not None and label not in labels:
            raise InputError(
                f"{path}:{number}: the label must be one of {', '.join(sorted(labels))}. Got {label[:60]!r} instead."
            )
        tokens.append(tuple(text.split()))
        found.append(label)
    if not tokens:
        raise InputError(f"{path} holds no texts below its first line; one or more are needed.")
    return Texts(path.name.partition(".")[0], tuple(tokens), tuple(found))
