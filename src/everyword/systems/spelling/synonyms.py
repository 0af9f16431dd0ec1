"""Synonyms for augmentation: the teacher's nearest neighbours, or a list such as WordNet's.

A lexicon brings knowledge that the teacher does not have, and tests such as SimLex reward it: a model trained with one
says so in its card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IdArray
from everyword.errors import InputError
from everyword.files import read_lines
from everyword.systems.spelling.negatives import NONE
from everyword.vectors.neighbours import exact_neighbours


@dataclass(frozen=True)
class SynonymsConfig:
    """Where synonyms come from."""

    file: str | None = None
    """Tab-separated word and synonym, further columns ignored, .gz allowed; without it the teacher's neighbours."""
    fill: bool = False
    """Words that the file has no synonyms for get the teacher's neighbours."""
    top: int = 10
    """At most this many synonyms a word."""
    min_cosine: float = 0.5
    """A synonym has at least this cosine to the word in the teacher's space."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        return [] if self.top >= 1 else [f"top must be 1 or more. Got {self.top} instead"]


def find_synonyms(words: Sequence[str], unit_targets: FloatArray, config: SynonymsConfig) -> IdArray:
    """For each word the indices of its synonyms, best first, filled up with `NONE`."""
    if config.file is None:
        indices, cosines = exact_neighbours(unit_targets, unit_targets, config.top, exclude_self=True)
        return np.where(cosines >= config.min_cosine, indices, NONE).astype(np.int32)
    found = _listed_synonyms(words, unit_targets, config, Path(config.file))
    if config.fill:
        _fill_with_neighbours(found, unit_targets, config)
    return found


def _fill_with_neighbours(found: IdArray, unit_targets: FloatArray, config: SynonymsConfig) -> None:
    """Give the rows that are empty the teacher's nearest words."""
    empty = np.flatnonzero((found == NONE).all(axis=1))
    # One more than wanted: a word is found as its own neighbour.
    indices, cosines = exact_neighbours(unit_targets[empty], unit_targets, config.top + 1)
    for row, near, cosine in zip(empty, indices, cosines, strict=True):
        others = near[(near != row) & (cosine >= config.min_cosine)][: config.top]
        found[row, : len(others)] = others


def _listed_synonyms(words: Sequence[str], unit_targets: FloatArray, config: SynonymsConfig, path: Path) -> IdArray:
    row_of = {word: row for row, word in enumerate(words)}
    listed: dict[int, list[int]] = {}
    for word, synonym in read_pairs(path):
        if word in row_of and synonym in row_of and word != synonym:
            listed.setdefault(row_of[word], []).append(row_of[synonym])
    if not listed:
        raise InputError(f"{path} shares no pair of words with the teacher, so it gives no synonyms.")
    found = np.full((len(words), config.top), NONE, dtype=np.int32)
    for row, others in listed.items():
        candidates = np.array(list(dict.fromkeys(others)))
        cosines = unit_targets[candidates] @ unit_targets[row]
        order = np.argsort(-cosines, kind="stable")
        best = candidates[order[cosines[order] >= config.min_cosine]][: config.top]
        found[row, : len(best)] = best
    return found


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """The first two columns of a tab-separated file."""
    pairs = []
    for number, line in enumerate(read_lines(path, "synonym file"), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            raise InputError(f"{path}:{number}: a line needs a word, a tab and a synonym. Got {line[:60]!r} instead.")
        pairs.append((columns[0], columns[1]))
    return pairs
