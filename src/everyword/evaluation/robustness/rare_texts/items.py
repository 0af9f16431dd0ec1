"""Rarified texts, and the file that keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from everyword.atomic import write_lines
from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError

CLASSIFIER, TEXTS, RECORD = "classifier", "rarified.jsonl", "record.json"
"""What the folder of a set holds; the record comes last."""


@dataclass(frozen=True)
class Replacement:
    """A word, and the rare one in its place."""

    word: str
    by: str
    kind: str
    count: int


@dataclass(frozen=True)
class RareText:
    """A text with rare words in it; the label is that of the text before."""

    text: str
    label: str
    original: str
    replaced: Sequence[Replacement]

    @property
    def kinds(self) -> set[str]:
        """What its rare words are."""
        return {one.kind for one in self.replaced}

    @property
    def most_frequent(self) -> int:
        """How often the most frequent of its rare words stands in the corpus."""
        return max(one.count for one in self.replaced)


def write_rare_texts(path: Path, texts: Iterable[RareText]) -> None:
    """One JSON object a line."""
    write_lines(path, (json.dumps(asdict(text), ensure_ascii=False) for text in texts))


def read_rare_texts(path: Path) -> list[RareText]:
    """Read what `write_rare_texts` wrote."""
    keys = {"text": str, "label": str, "original": str, "replaced": list}
    found = []
    for number, record in read_json_lines(path, "file of rarified texts", keys):
        try:
            replaced = [Replacement(**one) for one in record["replaced"]]
        except TypeError:
            replaced = []
        if not replaced:
            raise InputError(f"{path}:{number}: needs replaced words with word, by, kind and count; mend the line.")
        found.append(RareText(record["text"], record["label"], record["original"], replaced))
    return found
