"""Whether the claims of a paper hold for our scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from everyword.studies.config import Claim

MEAN = "mean"
"""A column with the mean over all benchmarks of a study."""
Verdict = Literal["holds", "does not hold", "too close to tell", "not tested"]


@dataclass(frozen=True)
class Score:
    """A score in percent and, where there is chance in it, its standard deviation over seeds."""

    value: float
    spread: float | None = None
    changed: float | None = None
    """The share of words that noise really changed."""


Row = Mapping[str, Score | None]
"""The scores of a variant by column; None where there is none."""
Rows = Mapping[str, Row]
"""All variants by label."""


@dataclass(frozen=True)
class Judgement:
    """A claim, the verdict, and the numbers behind it."""

    claim: Claim
    verdict: Verdict
    better: float | None
    than: dict[str, float | None]
    margin: float | None
    """What a difference had to exceed, for the nearest of the others."""


def mean_row(runs: Sequence[Row], columns: Sequence[str]) -> dict[str, Score | None]:
    """Return the scores of a variant from those of its seeds, with the mean over its benchmarks if it is a column."""
    benchmarks = [name for name in columns if name != MEAN]
    row = {name: _over_seeds([run[name] for run in runs]) for name in benchmarks}
    if MEAN in columns:
        row[MEAN] = _over_seeds([_mean([run[name] for name in benchmarks]) for run in runs])
    return row


def _mean(scores: Sequence[Score | None]) -> Score | None:
    values = [score.value for score in scores if score is not None]
    return Score(fmean(values)) if len(values) == len(scores) else None


def _over_seeds(scores: Sequence[Score | None]) -> Score | None:
    present = [score for score in scores if score is not None]
    if not present or len(present) < len(scores):
        return None
    if len(present) == 1:
        return present[0]
    values = [score.value for score in present]
    return Score(fmean(values), pstdev(values), present[0].changed)


def judge(claim: Claim, rows: Rows, margin: float) -> Judgement:
    """Judge a claim: it holds if the variant is better than all others by more than the margin and both spreads."""
    better = rows[claim.better].get(claim.on)
    others = {label: rows[label].get(claim.on) for label in claim.than}
    numbers = {label: score.value if score else None for label, score in others.items()}
    present = [score for score in others.values() if score is not None]
    if better is None or len(present) < len(others):
        return Judgement(claim, "not tested", better.value if better else None, numbers, None)
    # The one that leaves the claim the least room; each has a margin of its own.
    margins = [max(margin, (better.spread or 0.0) + (other.spread or 0.0)) for other in present]
    reached = better.value + claim.within
    room, needed = min(
        ((reached - other.value) / (own or 1.0), own) for other, own in zip(present, margins, strict=True)
    )
    return Judgement(claim, _verdict(room * (needed or 1.0), needed), better.value, numbers, needed)


def _verdict(gap: float, margin: float) -> Verdict:
    """Return the verdict for a difference.

    >>> _verdict(0.6, 0.5), _verdict(-0.6, 0.5), _verdict(0.4, 0.5)
    ('holds', 'does not hold', 'too close to tell')
    """
    if gap > margin:
        return "holds"
    return "does not hold" if gap < -margin else "too close to tell"
