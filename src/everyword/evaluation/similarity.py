"""Word similarity: do the cosines of word pairs rank like human judgements?

A score never stands alone: it comes with the number of pairs, and a second score over the pairs whose words are both
known, so that a model cannot shine by leaving the hard pairs out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.evaluation.rank import spearman
from everyword.vectors.neighbours import unit_rows


@dataclass(frozen=True)
class SimilaritySet:
    """Word pairs with human scores."""

    name: str
    pairs: Sequence[tuple[str, str]]
    scores: npt.NDArray[np.float64]

    @classmethod
    def load(cls, path: Path) -> SimilaritySet:
        """Read tab-separated word, word, score with one header line."""
        try:
            lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        except FileNotFoundError:
            raise InputError(f"There is no similarity set {path}.") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path} cannot be read as UTF-8 text: {error}.") from None
        pairs, scores = [], []
        for number, line in enumerate(lines[1:], start=2):
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


@dataclass(frozen=True)
class SimilarityScore:
    """Spearman × 100 over all pairs, and over those with both words known."""

    name: str
    spearman: float
    pairs: int
    spearman_known: float | None
    pairs_known: int


def score_similarity(
    task: SimilaritySet, encode: Callable[[Sequence[str]], FloatArray], known: Callable[[str], bool]
) -> SimilarityScore:
    """Score a way to encode words; every pair counts, and a zero vector has cosine 0 to everything."""
    first, second = (unit_rows(encode([pair[side] for pair in task.pairs])) for side in (0, 1))
    cosines = np.einsum("ij,ij->i", first, second)
    both = np.array([known(one) and known(other) for one, other in task.pairs])
    return SimilarityScore(
        task.name,
        100 * spearman(cosines, task.scores),
        len(task.pairs),
        100 * spearman(cosines[both], task.scores[both]) if both.sum() > 1 else None,
        int(both.sum()),
    )
