"""Hard negatives: words that look alike and mean something else (section 4.4 of LOVE).

The reference takes the first matches in vocabulary order and so opposes "article" and "articles"; here candidates are
the truly nearest spellings, and a word that shares the stem or is close in the teacher's space is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from everyword.arrays import FloatArray, IdArray, IndexArray
from everyword.extras import require
from everyword.models.retrieval.candidates import CandidateFinder
from everyword.text.vocabulary import stems

INDEX_BLOCK = 2048
NONE = -1
"""Fills the row of a word that has fewer hard negatives than asked for."""


@dataclass(frozen=True)
class NegativesConfig:
    """Which look-alikes a word is trained against."""

    per_word: int = 3
    """Hard negatives added to the batch for each anchor; 0 turns them off."""
    shown: bool = True
    """Whether they are encoded as the anchors are; if not, only their targets oppose the anchors, which is cheaper."""
    top: int = 100
    """They are drawn from this many nearest spellings."""
    min_similarity: float = 0.5
    """A look-alike has at least this Levenshtein similarity, 1 - distance / longer length."""
    max_cosine: float = 0.5
    """A word closer than this in the teacher's space is a synonym, not a negative."""
    search: Literal["all", "index"] = "all"
    """Compare every word with every other, or take what a misspelling of it would be looked for among: words within
    two edits, beside it in the dictionary or of its sound, however similar. The time of the first grows with the
    square of the number of words."""
    language: str = "english"
    """The language of the stemmer that finds inflections."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        problems = []
        if self.per_word < 0:
            problems.append(f"per_word must be 0 or more. Got {self.per_word} instead")
        if self.top < 1:
            problems.append(f"top must be 1 or more. Got {self.top} instead")
        return problems


def mine_negatives(
    words: Sequence[str],
    unit_targets: FloatArray,
    config: NegativesConfig,
    *,
    workers: int = -1,
    block: int = 512,
    on_progress: Callable[[int], None] = lambda done: None,
) -> IdArray:
    """For each word the indices of its hard negatives, nearest spelling first, filled up with `NONE`."""
    stem_ids = np.unique(stems(words, config.language), return_inverse=True)[1]
    top = min(config.top, len(words))
    found = np.full((len(words), top), NONE, dtype=np.int32)
    alike = _alike_by_index(words) if config.search == "index" else _alike_of_all(words, config, workers, block)
    for row, candidates in enumerate(alike):
        cosines = unit_targets[candidates] @ unit_targets[row]
        negatives = candidates[(cosines < config.max_cosine) & (stem_ids[candidates] != stem_ids[row])][:top]
        found[row, : len(negatives)] = negatives
        on_progress(1)
    return found


def _alike_of_all(words: Sequence[str], config: NegativesConfig, workers: int, block: int) -> Iterator[IndexArray]:
    """For each word all that look like it, the most similar first."""
    process = require("rapidfuzz.process", "Mining hard negatives")
    similarity = require("rapidfuzz.distance", "Mining hard negatives").Levenshtein.normalized_similarity
    for start in range(0, len(words), block):
        # In 255ths, so that a block of 512 words against 100,000 is 50 MB; the cutoff also makes rapidfuzz fast.
        similarities = process.cdist(
            words[start : start + block],
            words,
            scorer=similarity,
            score_cutoff=config.min_similarity,
            score_multiplier=255,
            dtype=np.uint8,
            workers=workers,
        )
        for row in similarities:
            candidates = np.flatnonzero(row)
            yield candidates[np.argsort(-row[candidates].astype(np.int16), kind="stable")]


def _alike_by_index(words: Sequence[str]) -> Iterator[IndexArray]:
    """For each word the candidates that a misspelling of it would have, the most promising first."""
    finder = CandidateFinder(words)
    for start in range(0, len(words), INDEX_BLOCK):
        candidates = finder.find(words[start : start + INDEX_BLOCK])
        begins = np.flatnonzero(np.diff(candidates.place, prepend=-1))
        yield from np.split(candidates.row, begins[1:])
