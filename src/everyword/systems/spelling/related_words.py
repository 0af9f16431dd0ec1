"""Synonyms and hard negatives of the training words.

Hard negatives are words that look alike and mean something else (section 4.4 of LOVE). The reference takes the first
matches in vocabulary order and so opposes "article" and "articles"; here candidates are the truly nearest spellings,
and a word that shares the stem or is close in the teacher's space is left out.

Synonyms are the teacher's nearest neighbours or a list such as WordNet's. A lexicon adds knowledge that the teacher
does not have, and tests such as SimLex reward it: the card of a model trained with one says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from everyword.arrays import FloatArray, IdArray, IndexArray
from everyword.config import Count, Fraction, Natural
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import read_lines
from everyword.learning.device import neighbours_on_device
from everyword.models.retrieval.candidates import CandidateFinder
from everyword.text.vocabulary import stems
from everyword.vectors.neighbours import exact_neighbours

SEARCH_BLOCK = 2048
NONE = -1
"""Fills the row of a word that has fewer related words than others."""


@dataclass(frozen=True)
class NegativesConfig:
    """Which look-alikes a word is trained against."""

    per_word: Natural = 3
    """Hard negatives added to the batch for each anchor; 0 turns them off."""
    shown: bool = True
    """Whether they are encoded as the anchors are; if not, only their targets oppose the anchors, which is cheaper."""
    top: Count = 100
    """They are drawn from this many nearest spellings."""
    min_similarity: Fraction = 0.5
    """A look-alike has at least this Levenshtein similarity, 1 - distance / longer length."""
    max_cosine: float = 0.5
    """A word closer than this in the teacher's space is a synonym, not a negative."""
    search: Literal["all", "index"] = "all"
    """all compares every word with every other, in a time that grows with the square of the number of words. index
    takes the candidates that a misspelling of the word would have: words within two edits, beside it in the dictionary
    or of its sound, however similar."""
    language: str = "english"
    """The language of the stemmer that finds inflections."""


@dataclass(frozen=True)
class SynonymsConfig:
    """Where synonyms come from."""

    file: str | None = None
    """Tab-separated word and synonym, further columns ignored, .gz allowed; without it the teacher's neighbours."""
    fill: bool = False
    """Words that the file has no synonyms for get the teacher's neighbours."""
    top: Count = 10
    """Maximum number of synonyms per word."""
    min_cosine: float = 0.5
    """A synonym has at least this cosine to the word in the teacher's space."""


def mine_negatives(
    words: Sequence[str],
    unit_targets: FloatArray,
    config: NegativesConfig,
    *,
    workers: int = -1,
    block: int = 512,
    on_progress: Callable[[int], None] = lambda done: None,
) -> IdArray:
    """Return for each word the indices of its hard negatives, nearest spelling first, padded with `NONE`."""
    stem_ids = np.unique(stems(words, config.language), return_inverse=True)[1]
    top = min(config.top, len(words))
    found = np.full((len(words), top), NONE, dtype=np.int32)
    search = _search_index(words) if config.search == "index" else _search_all(words, config, workers, block)
    for row, candidates in enumerate(search):
        cosines = unit_targets[candidates] @ unit_targets[row]
        negatives = candidates[(cosines < config.max_cosine) & (stem_ids[candidates] != stem_ids[row])][:top]
        found[row, : len(negatives)] = negatives
        on_progress(1)
    return found


def _search_all(words: Sequence[str], config: NegativesConfig, workers: int, block: int) -> Iterator[IndexArray]:
    """Yield for each word all look-alikes, the most similar first."""
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


def _search_index(words: Sequence[str]) -> Iterator[IndexArray]:
    """Yield for each word the candidates that a misspelling of it would have, the most promising first."""
    finder = CandidateFinder(words)
    for start in range(0, len(words), SEARCH_BLOCK):
        candidates = finder.find(words[start : start + SEARCH_BLOCK])
        begins = np.flatnonzero(np.diff(candidates.query, prepend=-1))
        yield from np.split(candidates.row, begins[1:])


def find_synonyms(
    words: Sequence[str], unit_targets: FloatArray, config: SynonymsConfig, *, device: str = "cpu"
) -> IdArray:
    """Return for each word the indices of its synonyms, best first, padded with `NONE`."""
    if config.file is None:
        return _neighbours(unit_targets, config, device)
    found = _listed_synonyms(words, unit_targets, config, Path(config.file))
    if config.fill:
        _fill_with_neighbours(found, unit_targets, config, device)
    return found


def _neighbours(unit_targets: FloatArray, config: SynonymsConfig, device: str) -> IdArray:
    """Return the teacher's nearest words to every word."""
    if device == "cpu":
        indices, cosines = exact_neighbours(unit_targets, unit_targets, config.top, exclude_self=True)
        return np.where(cosines >= config.min_cosine, indices, NONE).astype(np.int32)
    found = np.full((len(unit_targets), config.top), NONE, dtype=np.int32)
    _fill_with_neighbours(found, unit_targets, config, device)
    return found


def _fill_with_neighbours(found: IdArray, unit_targets: FloatArray, config: SynonymsConfig, device: str) -> None:
    """Give empty rows the teacher's nearest words."""
    empty = np.flatnonzero((found == NONE).all(axis=1))
    search = exact_neighbours if device == "cpu" else partial(neighbours_on_device, device=device)
    # One more than needed: a word is found as its own neighbour.
    indices, cosines = search(unit_targets[empty], unit_targets, config.top + 1)
    for row, near, cosine in zip(empty, indices, cosines, strict=True):
        others = near[(near != row) & (cosine >= config.min_cosine)][: config.top]
        found[row, : len(others)] = others


def _listed_synonyms(words: Sequence[str], unit_targets: FloatArray, config: SynonymsConfig, path: Path) -> IdArray:
    row_of = {word: row for row, word in enumerate(words)}
    listed: dict[int, list[int]] = {}
    for word, synonym in read_synonym_pairs(path):
        if word in row_of and synonym in row_of and word != synonym:
            listed.setdefault(row_of[word], []).append(row_of[synonym])
    if not listed:
        raise InputError(f"{path} has no pair of words that the teacher knows, so it gives no synonyms.")
    found = np.full((len(words), config.top), NONE, dtype=np.int32)
    for row, others in listed.items():
        candidates = np.array(list(dict.fromkeys(others)))
        cosines = unit_targets[candidates] @ unit_targets[row]
        order = np.argsort(-cosines, kind="stable")
        best = candidates[order[cosines[order] >= config.min_cosine]][: config.top]
        found[row, : len(best)] = best
    return found


def read_synonym_pairs(path: Path) -> list[tuple[str, str]]:
    """Read the first two columns of a tab-separated file."""
    pairs = []
    for number, line in enumerate(read_lines(path, "synonym file"), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            raise InputError(f"{path}:{number}: a line needs a word, a tab and a synonym. Got {line[:60]!r} instead.")
        pairs.append((columns[0], columns[1]))
    return pairs
