"""Paraphrases from tab-separated files, as words and as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.files import checksum_of_all, read_lines
from everyword.sentences.operators import operator_tokens

PAIR_COLUMNS = (("sentence1", "sentence2"), ("premise", "hypothesis"), ("source", "target"))
LABEL = "label"
POSITIVE = ("1", "entailment", "paraphrase")
"""Labels of pairs that mean the same, or of which the first implies the second."""

Words = list[str]


@dataclass(frozen=True)
class Paraphrases:
    """Pairs of texts that mean about the same."""

    pairs: Sequence[tuple[Words, Words]]
    files: Mapping[str, int] = field(default_factory=dict)
    """How many pairs each file gave."""
    sha256: str = ""

    def vocabulary(self, min_count: int) -> list[str]:
        """Return the words that occur often enough, most frequent first."""
        counts = Counter(word for pair in self.pairs for words in pair for word in words)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [word for word, count in ordered if count >= min_count]

    def rows(self, words: Sequence[str], longest: int) -> list[tuple[IndexArray, IndexArray]]:
        """Return the pairs as rows of words, cut to a length; unknown words have the row behind the last."""
        row_of = {word: row for row, word in enumerate(words)}
        return [tuple(rows_of(text[:longest], row_of) for text in pair) for pair in self.pairs]  # type: ignore[misc]


def rows_of(words: Sequence[str], row_of: Mapping[str, int]) -> IndexArray:
    """Return the rows of words; those that are not listed have the row behind the last."""
    return np.array([row_of.get(word, len(row_of)) for word in words], dtype=np.int64)


def read_paraphrases(paths: Sequence[Path]) -> Paraphrases:
    """Read pairs from tab-separated files with a header, plain or gzipped.

    Args:
        paths: Files with the columns sentence1 and sentence2 (or premise and hypothesis, or source and target), and
            perhaps label, of which 1, entailment and paraphrase are read and others skipped.

    Returns:
        The pairs in order; those with a text without words, and those of two equal texts, are left out.

    Raises:
        InputError: If a file lacks the columns, a line lacks cells, or no pair is left.
    """
    pairs: list[tuple[Words, Words]] = []
    counts: dict[str, int] = {}
    for path in paths:
        before = len(pairs)
        for one, other in _pairs_in(path):
            first, second = operator_tokens(one), operator_tokens(other)
            if first and second and first != second:
                pairs.append((first, second))
        counts[path.name] = len(pairs) - before
    if len(pairs) < 2:
        raise InputError(f"The files hold {len(pairs)} paraphrases; training needs two or more.")
    return Paraphrases(pairs, counts, checksum_of_all(paths))


def _pairs_in(path: Path) -> list[tuple[str, str]]:
    header, *lines = read_lines(path, "file of paraphrases")
    names = header.split("\t")
    columns = next((pair for pair in PAIR_COLUMNS if set(pair) <= set(names)), None)
    if columns is None:
        raise InputError(
            f"{path}:1: the first line must name the columns sentence1 and sentence2, with tabs between them. "
            f"Got {header[:60]!r}."
        )
    label = names.index(LABEL) if LABEL in names else None
    first, second = map(names.index, columns)
    found = []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) < len(names):
            raise InputError(f"{path}:{number}: needs {len(names)} cells between tabs. Got {line[:60]!r}.")
        if label is None or cells[label].strip().lower() in POSITIVE:
            found.append((cells[first], cells[second]))
    return found


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of texts with human scores of their similarity."""

    first: Sequence[str]
    second: Sequence[str]
    scores: Sequence[float]


def read_scored_pairs(path: Path) -> ScoredPairs:
    """Read a tab-separated file with the columns sentence1, sentence2 and score."""
    header, *lines = read_lines(path, "file of scored pairs")
    names = header.split("\t")
    if not {"sentence1", "sentence2", "score"} <= set(names):
        raise InputError(f"{path}:1: needs the columns sentence1, sentence2 and score. Got {header[:60]!r}.")
    first, second, score = (names.index(name) for name in ("sentence1", "sentence2", "score"))
    found = []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        try:
            value = float(cells[score])
            found.append((cells[first], cells[second], value))
        except (ValueError, IndexError):
            value = float("nan")
        if not isfinite(value):
            raise InputError(f"{path}:{number}: needs two texts and a number between tabs. Got {line[:60]!r}.")
    if len(found) < 2:
        raise InputError(f"{path} holds {len(found)} pairs; a correlation needs two or more.")
    one, other, scores = zip(*found, strict=True)
    return ScoredPairs(one, other, scores)
