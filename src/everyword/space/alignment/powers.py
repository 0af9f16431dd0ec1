"""Choose the power of the spectrum of each space before they are aligned, without looking at any translation.

Vulić, Korhonen and Glavaš (RepL4NLP 2020) tune two powers on one pair of languages and keep them for all. Here each
pair of tables gets its own, by a score that needs no translations beyond those of the alignment. It is a product of two
figures that pull in opposite directions. A steep spectrum leaves few directions, so that pairs are found again easily;
a flat one makes the best match stand out from the second. The number of mutual neighbours and their mean similarity
were tried first, and choose far too flat a spectrum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from everyword.arrays import FloatArray
from everyword.space.alignment.pairs import Pairs
from everyword.space.alignment.retrieval import best_ranks, neighbourhoods
from everyword.space.alignment.self_learning import rotations
from everyword.space.pipeline import Reporter, no_report
from everyword.vectors.neighbours import unit_rows

GRID = (-0.25, -0.15, 0.0, 0.15, 0.25)
"""The powers that are tried on each side."""
WORDS = 2500
Prepare = Callable[[float], FloatArray]
"""Returns the rows of a side, prepared with a power."""


def score_powers(source: FloatArray, target: FloatArray, pairs: Pairs, words: int = WORDS) -> float:
    """Score a preparation of both sides.

    Args:
        source: The prepared rows of one side, most frequent words first.
        target: Those of the other.
        pairs: What the two are aligned by.
        words: How many words of each side are compared.

    Returns:
        The mean distance of the best CSLS from the second, in deviations of a word's CSLS, times the mean reciprocal
        rank at which one half of the induced pairs is found by a map that was learnt from the other half.
    """
    x, z = source[:words], target[:words]
    turn, back = rotations(source[pairs.source], target[pairs.target])
    one, other = unit_rows(x @ turn), unit_rows(z @ back)
    of_source, of_target = neighbourhoods(one, other)
    csls = 2 * (one @ other.T) - of_source[:, None] - of_target
    best_target, best_source = csls.argmax(axis=1), csls.argmax(axis=0)
    mutual = np.flatnonzero(best_source[best_target] == np.arange(len(x)))
    learnt, hidden = mutual[::2], mutual[1::2]
    if not len(hidden):
        return 0.0
    second, first = np.partition(csls, csls.shape[1] - 2, axis=1)[:, -2:].T
    margin = (first - second) / np.maximum(csls.std(axis=1), np.finfo(np.float32).tiny)
    turn, back = rotations(x[learnt], z[best_target[learnt]])
    right = [[row] for row in best_target[hidden].tolist()]
    [ranks] = best_ranks(unit_rows(x[hidden] @ turn), unit_rows(z @ back), right)
    return float(margin.mean()) * float((1 / ranks).mean())


def choose_powers(
    source: Prepare,
    target: Prepare,
    pairs: Pairs,
    *,
    grid: Sequence[float] = GRID,
    words: int = WORDS,
    report: Reporter = no_report,
) -> tuple[float, float]:
    """Return the powers of both sides with the best score, one side after the other, from 0.

    Args:
        source: Prepares the source with a power.
        target: Prepares the target with a power.
        pairs: What the two are aligned by.
        grid: The powers to try.
        words: The most frequent words, which are compared.
        report: Called with a sentence for each choice.
    """
    # Of large tables only the rows that are looked at are kept for each power.
    most = [max(words, int(rows.max()) + 1) for rows in (pairs.source, pairs.target)]
    prepared = [
        cache(lambda power, side=side, last=last: side(power)[:last].copy())
        for side, last in zip((source, target), most, strict=True)
    ]

    @cache
    def score(one: float, other: float) -> float:
        return score_powers(prepared[0](one), prepared[1](other), pairs, words)

    chosen = {"source": 0.0, "target": 0.0}
    for side in ("target", "source"):
        tried = {power: score(*{**chosen, side: power}.values()) for power in grid}
        chosen[side] = max(tried, key=lambda power: (tried[power], -abs(power)))
    report(f"powers of the spectra: {chosen['source']:g} and {chosen['target']:g}")
    return chosen["source"], chosen["target"]
