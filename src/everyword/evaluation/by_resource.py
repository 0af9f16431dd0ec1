"""Scores by the size of a resource: by how often words occur, or by how much text a language has.

After Wu and Dredze, "Are All Languages Created Equal in Multilingual BERT?" (RepL4NLP 2020): scores in bands of the
logarithm of the size, and regressions on it. The question is where vectors stop being trustworthy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray
from everyword.errors import InputError
from everyword.evaluation.distributions import chi_squared_tail, t_quantile, t_tail

Values = npt.NDArray[np.float64]
NOTHING = "0"
"""The band of what has none of the resource."""
COLLINEAR = 5.0
"""A predictor whose variance the others inflate more than this has a coefficient that says little by itself."""


def band_of(size: float) -> int | None:
    """Return the logarithm of a size to base 2, rounded; None for nothing.

    >>> band_of(10), band_of(15_872), band_of(0)
    (3, 14, None)
    """
    return math.floor(math.log2(size) + 0.5) if size > 0 else None


@dataclass(frozen=True)
class Band:
    """Items with about as much of a resource."""

    name: str
    """The sizes, "181-362", or "0"."""
    n: int
    score: float | None
    """None for too few items."""


def bands(
    sizes: Sequence[float] | AnyArray,
    score: Callable[[npt.NDArray[np.bool_]], float | None],
    *,
    width: int = 1,
    least: int = 1,
) -> list[Band]:
    """Score items in bands of the logarithm of their size.

    Args:
        sizes: The size of each item, 0 or more.
        score: Returns the score of the chosen items.
        width: Powers of 2 per band.
        least: Bands with fewer items have no score.

    Returns:
        The bands that have items, from small to large.
    """
    given = np.asarray(sizes, dtype=np.float64)
    if not np.isfinite(given).all() or (given < 0).any():
        raise InputError("Sizes must be numbers from 0 up.")
    numbers = np.array([-math.inf if (band := band_of(size)) is None else band // width for size in given])
    found = []
    for number in np.unique(numbers):
        chosen = numbers == number
        count = int(chosen.sum())
        found.append(Band(_name(number, width), count, score(chosen) if count >= least else None))
    return found


def _name(number: float, width: int) -> str:
    if number == -math.inf:
        return NOTHING
    low, high = (2 ** (edge * width - 0.5) for edge in (number, number + 1))
    if high <= 1:
        return f"{low:.2g}-{high:.2g}"
    first, last = math.ceil(low), math.ceil(high) - 1
    return f"{first:,}-{last:,}" if first < last else f"{first:,}"


@dataclass(frozen=True)
class Coefficient:
    """How a score changes when a size doubles and the others stay, with its 95 % interval."""

    name: str
    value: float
    low: float
    high: float
    p: float
    inflation: float = 1.0
    """How much the other predictors inflate the variance of this one; 1 without others."""


@dataclass(frozen=True)
class Regression:
    """A least-squares fit of scores to the logarithms of sizes."""

    coefficients: tuple[Coefficient, ...]
    intercept: float
    n: int
    r_squared: float
    log_likelihood: float
    warnings: tuple[str, ...] = field(default=())

    def __getitem__(self, name: str) -> Coefficient:
        return next(one for one in self.coefficients if one.name == name)


def regress(sizes: Mapping[str, Sequence[float] | AnyArray], scores: Sequence[float] | AnyArray) -> Regression:
    """Fit scores to the base-2 logarithms of one size or several by ordinary least squares.

    Args:
        sizes: The sizes by name, each a list as long as the scores; above 0.
        scores: The scores.

    Returns:
        The fit, with a warning where sizes depend on each other so much that single coefficients mean little.

    Raises:
        InputError: If there are too few scores, a size is not above 0, or sizes cannot be told apart at all.
    """
    target = np.asarray(scores, dtype=np.float64)
    columns = {name: np.asarray(size, dtype=np.float64) for name, size in sizes.items()}
    _check(columns, target)
    predictors = np.stack([np.log2(column) for column in columns.values()], axis=1)
    design = np.column_stack([np.ones(len(target)), predictors])
    if np.linalg.matrix_rank(design - design.mean(axis=0) * (np.arange(design.shape[1]) > 0)) < design.shape[1]:
        raise InputError(f"The sizes {', '.join(columns)} are constant or depend on each other; leave one out.")
    inverse = np.linalg.inv(design.T @ design)
    fitted = inverse @ design.T @ target
    residuals = target - design @ fitted
    freedom = len(target) - design.shape[1]
    left = float(residuals @ residuals)
    errors = np.sqrt(np.diag(inverse) * left / freedom)
    inflations = _inflations(predictors)
    coefficients = tuple(
        _coefficient(name, float(value), float(error), freedom, inflation)
        for name, value, error, inflation in zip(columns, fitted[1:], errors[1:], inflations, strict=True)
    )
    spread = float(((target - target.mean()) ** 2).sum())
    count = len(target)
    likelihood = -count / 2 * (math.log(2 * math.pi * max(left, 1e-300) / count) + 1)
    explained = 1 - left / spread if spread > 0 else 0.0
    return Regression(coefficients, float(fitted[0]), count, explained, likelihood, tuple(_warnings(coefficients)))


def _check(columns: Mapping[str, Values], target: Values) -> None:
    if not columns or any(len(column) != len(target) for column in columns.values()):
        raise InputError("A regression needs at least one size, and as many of each as there are scores.")
    if len(target) < len(columns) + 2:
        raise InputError(f"A regression on {len(columns)} sizes needs {len(columns) + 2} scores. Got {len(target)}.")
    for name, column in columns.items():
        if not np.isfinite(column).all() or (column <= 0).any():
            raise InputError(f"The size {name!r} must be above 0 for all scores, to have a logarithm.")
    if not np.isfinite(target).all():
        raise InputError("Scores must be finite numbers.")


def _coefficient(name: str, value: float, error: float, freedom: int, inflation: float) -> Coefficient:
    reach = t_quantile(0.05, freedom) * error
    p = t_tail(value / error, freedom) if error > 0 else float(value == 0)
    return Coefficient(name, value, value - reach, value + reach, p, inflation)


def _inflations(predictors: Values) -> list[float]:
    """Return the diagonal of the inverse of the correlations."""
    if predictors.shape[1] == 1:
        return [1.0]
    correlations = np.atleast_2d(np.corrcoef(predictors, rowvar=False))
    return [float(value) for value in np.diag(np.linalg.inv(correlations))]


def _warnings(coefficients: Sequence[Coefficient]) -> list[str]:
    inflated = [one.name for one in coefficients if one.inflation > COLLINEAR]
    if not inflated:
        return []
    return [
        f"{' and '.join(inflated)} are collinear (variance inflated {max(one.inflation for one in coefficients):.1f} "
        "times): a coefficient, even its sign, says little by itself."
    ]


def likelihood_ratio(smaller: Regression, larger: Regression) -> float:
    """Return how likely the gain of further sizes is by chance: the p of a likelihood-ratio test of nested fits."""
    further = len(larger.coefficients) - len(smaller.coefficients)
    names = {one.name for one in larger.coefficients}
    if further < 1 or smaller.n != larger.n or not all(one.name in names for one in smaller.coefficients):
        raise InputError("A likelihood-ratio test compares a fit with one that has further sizes for the same scores.")
    return chi_squared_tail(2 * (larger.log_likelihood - smaller.log_likelihood), further)


def coverage(words: Sequence[str], counts: Mapping[str, int], thresholds: Sequence[int]) -> dict[int, float]:
    """Return the share of a vocabulary that occurs more often than each threshold, in percent.

    >>> coverage(["a", "b", "c", "d"], {"a": 10, "b": 2}, [0, 1, 5])
    {0: 50.0, 1: 50.0, 5: 25.0}
    """
    if not words:
        raise InputError("A vocabulary without words has no coverage.")
    found = np.array([counts.get(word, 0) for word in words])
    return {threshold: 100 * float((found > threshold).mean()) for threshold in thresholds}
