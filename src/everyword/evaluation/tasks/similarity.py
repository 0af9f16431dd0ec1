"""Word similarity: do word pairs rank like human judgements, by cosine or another scorer?

The score comes with the number of pairs, and with a second score over the pairs whose words are both known, so that a
model cannot gain by omitting hard pairs. A third score, over the pairs with an unknown word, tests new words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray
from everyword.corpus.rows import COMMENT
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.closeness import pair_closeness
from everyword.files import read_lines


@dataclass(frozen=True)
class SimilaritySet:
    """Word pairs with human scores."""

    name: str
    pairs: Sequence[tuple[str, str]]
    scores: npt.NDArray[np.float64]
    noisy: bool = False
    """Whether words are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def load(cls, path: Path) -> SimilaritySet:
        """Read tab-separated word, word and score, after one header line or lines that begin with "#"."""
        lines = read_lines(path, "similarity set")
        start = next((number for number, line in enumerate(lines) if not line.startswith(COMMENT)), len(lines)) or 1
        if start == 1 and _is_number(lines[0].split("\t")[-1]):
            raise InputError(
                f"{path}:1: the first line must name the columns. Got {lines[0]!r}; put a header above it."
            )
        pairs, scores = [], []
        for number, line in enumerate(lines[start:], start=start + 1):
            try:
                first, second, score = line.split("\t")[:3]
                scores.append(_finite(score))
            except ValueError:
                raise InputError(f"{path}:{number}: needs word, word and score between tabs. Got {line!r}.") from None
            pairs.append((first, second))
        if len(pairs) < 2:
            raise InputError(f"{path} holds {len(pairs)} pairs; a rank correlation needs two or more.")
        return cls(path.stem, pairs, np.array(scores))


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def average_ranks(values: AnyArray) -> npt.NDArray[np.float64]:
    """Return ranks from 1; equal values share the mean of their ranks.

    >>> average_ranks(np.array([10, 20, 10])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: npt.NDArray[np.float64] = (last - (counts - 1) / 2)[index]
    return ranks


def spearman(first: AnyArray, second: AnyArray) -> float:
    """Return Spearman's rank correlation; 0.0 if one side is constant.

    >>> spearman(np.array([1, 2, 3]), np.array([10, 30, 20]))
    0.5
    """
    one, other = (ranks - ranks.mean() for ranks in (average_ranks(first), average_ranks(second)))
    spread = np.sqrt((one @ one) * (other @ other))
    return float(one @ other / spread) if spread > 0 else 0.0


def both_known(pairs: Sequence[tuple[str, str]], known: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """Return for each pair whether both words are known."""
    return np.array([known(one) and known(other) for one, other in pairs])


def correlation_of(chosen: npt.NDArray[np.bool_], closeness: AnyArray, scores: npt.NDArray[np.float64]) -> float | None:
    """Return Spearman × 100 over the chosen pairs; None for fewer than two."""
    return 100 * spearman(closeness[chosen], scores[chosen]) if chosen.sum() > 1 else None


def run(model: EvaluatedModel, data: SimilaritySet, seed: int) -> Scores:
    """Score all pairs, those with two known words, and those with an unknown word."""
    both = both_known(data.pairs, model.known)
    if model.policy == "zero" and not (data.noisy or both.any()):
        raise NoOverlapError(f"No pair of {data.name} has both words in {model.name}; is it of another language?")
    closeness = pair_closeness(model, data.pairs)
    values = {
        "spearman": 100 * spearman(closeness, data.scores),
        "spearman_known": correlation_of(both, closeness, data.scores),
        "spearman_new": correlation_of(~both, closeness, data.scores),
    }
    items = {"closeness": closeness.astype(float).tolist(), "judgement": data.scores.tolist()}
    return Scores(values, len(data.pairs), int(both.sum()), items_if_asked=items)


def misspelt(data: SimilaritySet, misspell: Misspell) -> SimilaritySet:
    """Return the same pairs in other spellings."""
    return replace(data, pairs=[(misspell(one), misspell(other)) for one, other in data.pairs], noisy=True)


TASK = Task(
    name="similarity",
    version=1,
    kind="similarity",
    summary="Do cosines of word pairs rank like human judgements? Spearman.",
    main="spearman",
    load=SimilaritySet.load,
    run=run,
    corrupt=word_by_word(misspelt),
    takes_scorers=True,
)
