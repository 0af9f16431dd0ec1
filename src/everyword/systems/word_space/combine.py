"""Combine sources into one space: fill gaps, weigh, concatenate, keep the main directions, bring synonyms closer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from everyword.arrays import ByteArray, FloatArray
from everyword.space.moments import Moments, principal_directions
from everyword.space.steps.whiten import Whiten
from everyword.systems.word_space.config import DEFINITIONS, ENCODED, OCCURRENCES, TEMPLATES, TEXTS, WordSpaceConfig
from everyword.systems.word_space.lexicon import Translation
from everyword.systems.word_space.sources import Source
from everyword.vectors.neighbours import unit_rows

GUESSED, SEEN_OFTEN, CLEAR = 0.4, 100, 0.7
"""The reliability of a vector that comes from spelling alone; the number of occurrences after which more do not count;
and the share of its reliability that a foreign word keeps if its translations have nothing in common."""
RIDGE = 0.05
"""Share of the mean variance by which regressions on the templates are damped."""


def fill_gaps(sources: Mapping[str, Source], config: WordSpaceConfig) -> dict[str, FloatArray]:
    """Return the vectors of each source, with what others predict for entries it knows little or nothing of.

    The templates predict, and for an entry that has a definition the definition beside them: of a word that nobody has
    written about yet it tells more than its spelling.
    """
    base = sources[TEMPLATES].vectors
    filled = {TEMPLATES: base}
    for name, source in sources.items():
        if name == TEMPLATES:
            continue
        predicted = _predicted(base, source)
        if name != DEFINITIONS and DEFINITIONS in sources:
            defined = np.flatnonzero(sources[DEFINITIONS].counts)
            both = np.concatenate([base[defined], sources[DEFINITIONS].vectors[defined]], axis=1)
            predicted[defined] = _predicted(both, source.take(defined))
        predicted *= np.float32(config.shortened)
        if name in (OCCURRENCES, TEXTS):
            trusted: FloatArray = (source.counts / (source.counts + np.float32(config.trust)))[:, None]
        else:
            trusted = source.known[:, None]
        mixed: FloatArray = trusted * source.vectors + (1 - trusted) * predicted
        filled[name] = mixed
    return filled


def _predicted(inputs: FloatArray, source: Source) -> FloatArray:
    """Return what a regression predicts of a source, rows of length 1."""
    known = np.flatnonzero(source.counts)
    if not len(known):
        return np.zeros_like(source.vectors)
    return unit_rows(inputs @ _ridge(inputs[known], source.vectors[known]))


def _ridge(inputs: FloatArray, outputs: FloatArray) -> FloatArray:
    products = inputs.T @ inputs
    damped = products + RIDGE * np.trace(products) / len(products) * np.eye(len(products), dtype=np.float32)
    solved: FloatArray = np.linalg.solve(damped, inputs.T @ outputs).astype(np.float32)
    return solved


def joined(
    filled: Mapping[str, FloatArray], weights: Mapping[str, float], dim: int, config: WordSpaceConfig
) -> FloatArray:
    """Concatenate weighted sources and keep the main directions, of more even spread; rows have length 1."""
    parts = [filled[name] * np.float32(weight) for name, weight in weights.items() if weight]
    return main_directions(np.concatenate(parts, axis=1), dim, config, flatten=config.flatten)


def main_directions(matrix: FloatArray, dim: int, config: WordSpaceConfig, *, flatten: float = 0.0) -> FloatArray:
    """Return unit rows along the directions of largest variance of the most frequent words."""
    moments = Moments.of(matrix[: config.fit_on])
    variances, directions = principal_directions(moments.covariance)
    kept = directions[:, :dim] * np.maximum(variances[:dim] / variances[0], 1e-9) ** (-flatten / 2)
    return unit_rows((matrix - moments.mean.astype(np.float32)) @ kept.astype(np.float32))


def bring_closer(matrix: FloatArray, synonyms: Sequence[tuple[int, int]], config: WordSpaceConfig) -> FloatArray:
    """Shorten the directions in which synonyms differ."""
    first, second = np.array(synonyms).T
    differences = matrix[first] - matrix[second]
    return Whiten(shrinkage=config.shrinkage).fit(differences).apply(matrix)


def placed_by_meaning(matrix: FloatArray, meanings: Sequence[tuple[int, Sequence[int]]], share: float) -> FloatArray:
    """Move slang and abbreviations to what they mean; `share` of the vector is the mean of the meaning's words."""
    placed = matrix.copy()
    for row, meant in meanings:
        placed[row] = share * matrix[list(meant)].mean(axis=0) + (1 - share) * matrix[row]
    return unit_rows(placed)


def reliability(sources: Mapping[str, Source], index: Mapping[str, int], foreign: Sequence[Translation]) -> ByteArray:
    """Return how much the vector of each entry and foreign word can be relied on, in 255ths.

    A word of which the encoder has seen the spelling alone has 0.4 of it. A definition, tables and occurrences, the
    more the better, each bring it nearer to 1. A foreign word has that of its translations, less if they are many.
    """
    evidence = np.zeros(len(index), dtype=np.float32)
    for name, source in sources.items():
        if name in (OCCURRENCES, DEFINITIONS):
            enough = SEEN_OFTEN if name == OCCURRENCES else 1
            evidence += np.minimum(1, np.log1p(source.counts) / np.log1p(enough))
    tables = [source.known for name, source in sources.items() if name not in ENCODED]
    evidence += np.max(tables, axis=0) if tables else 0
    shares = 1 - (1 - GUESSED) * np.exp(-evidence)
    abroad = [
        sum(weight * shares[index[meaning]] for meaning, weight in word.meanings)
        * (CLEAR + (1 - CLEAR) * max(weight for _, weight in word.meanings))
        / sum(weight for _, weight in word.meanings)
        for word in foreign
    ]
    whole: ByteArray = np.rint(255 * np.concatenate([shares, np.array(abroad, dtype=np.float32)])).astype(np.uint8)
    return whole


def translated(matrix: FloatArray, index: Mapping[str, int], foreign: Sequence[Translation]) -> FloatArray:
    """Return the vector of each foreign word: the weighted mean of its translations."""
    vectors = np.empty((len(foreign), matrix.shape[1]), dtype=np.float32)
    for row, word in enumerate(foreign):
        rows = [index[meaning] for meaning, _ in word.meanings]
        weights = np.array([weight for _, weight in word.meanings], dtype=np.float32)
        vectors[row] = weights @ matrix[rows]
    return unit_rows(vectors)
