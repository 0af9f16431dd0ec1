"""Whether the claims of a paper hold for our scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from everyword.studies.config import Claim

MEAN = "mean"
"""A column with the mean over all benchmarks of a study."""
LEAST_SEEDS = 3
"""How many seeds a score must stand on for a verdict, if there is chance in it."""
Verdict = Literal["holds", "does not hold", "too close to tell", "not tested"]


@dataclass(frozen=True)
class Score:
    """A score in percent and, where there is chance in it, its standard deviation over seeds."""

    value: float
    spread: float | None = None
    changed: float | None = None
    """The share of words that noise really changed."""
    seeds: int | None = 1
    """How many runs the value is the mean of; None where nothing is drawn or trained, so that all runs are equal."""
    n: int | None = None
    """The number of items that were scored, where it is known."""
    runs: tuple[float, ...] = field(default=(), compare=False)
    """The value of each run, if there were several."""


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
    seeds: int | None = None
    """The fewest runs behind a score with chance in it; None if there is no such score."""
    reason: str = ""
    """What the verdict stands on, or why there is none."""


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
    values = tuple(score.value for score in present)
    first = present[0]
    return Score(fmean(values), pstdev(values), first.changed, seeds=len(values), n=first.n, runs=values)


def judge(claim: Claim, rows: Rows, margin: float) -> Judgement:
    """Judge a claim: it holds if the variant is better than all others by more than the margin and both spreads.

    There is a verdict only if every score with chance in it stands on three seeds or more.
    """
    scores = {label: rows[label].get(claim.on) for label in (claim.better, *claim.than)}
    values = {label: score.value if score else None for label, score in scores.items()}
    better, others = values[claim.better], {label: values[label] for label in claim.than}
    missing = [label for label, score in scores.items() if score is None]
    present = [score for score in scores.values() if score is not None]
    seeds = min((score.seeds for score in present if score.seeds is not None), default=None)
    if missing:
        return Judgement(claim, "not tested", better, others, None, seeds, f"no score of {', '.join(missing)}")
    reason = f"{seeds_in_words(seeds)}; a verdict needs {LEAST_SEEDS}"
    if seeds is not None and seeds < LEAST_SEEDS:
        return Judgement(claim, "not tested", better, others, None, seeds, reason)
    first, *rest = present
    # The one that leaves the claim the least room; each has a margin of its own.
    margins = [max(margin, (first.spread or 0.0) + (other.spread or 0.0)) for other in rest]
    reached = first.value + claim.within
    room, needed = min(
        (((reached - other.value) / (own or 1.0)), own) for other, own in zip(rest, margins, strict=True)
    )
    verdict = _verdict(room * (needed or 1.0), needed)
    return Judgement(claim, verdict, better, others, needed, seeds, seeds_in_words(seeds))


def seeds_in_words(seeds: int | None) -> str:
    """Return how many runs there were.

    >>> seeds_in_words(3), seeds_in_words(1), seeds_in_words(None)
    ('3 seeds', 'one seed', 'nothing is drawn')
    """
    if seeds is None:
        return "nothing is drawn"
    return "one seed" if seeds == 1 else f"{seeds} seeds"


def _verdict(gap: float, margin: float) -> Verdict:
    """Return the verdict for a difference.

    >>> _verdict(0.6, 0.5), _verdict(-0.6, 0.5), _verdict(0.4, 0.5)
    ('holds', 'does not hold', 'too close to tell')
    """
    if gap > margin:
        return "holds"
    return "does not hold" if gap < -margin else "too close to tell"
