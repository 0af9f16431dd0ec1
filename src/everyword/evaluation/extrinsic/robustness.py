"""How a score falls as the test text gets noisier: trained once on clean text, scored at each step of a ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.evaluation.extrinsic.ladder import Step, changed_share
from everyword.evaluation.extrinsic.learner import Learner
from everyword.evaluation.extrinsic.protocol import mean_and_spread, run_seeds
from everyword.evaluation.extrinsic.splits import D


@dataclass(frozen=True)
class Point:
    """The score at one step."""

    strength: float
    changed: float
    """The share of tokens that really differ from the clean text; short words and numbers often cannot."""
    values: Mapping[str, float]
    spread: Mapping[str, float]
    seeds: int
    n: int
    tokens: int
    tokens_known: int


def curve(learner: Learner[D], test: D, steps: Sequence[Step[D]], *, keep_in: Path | None = None) -> list[Point]:
    """Score the clean test set, then each step, with the same models: the rate chosen on dev, several seeds."""
    everything: list[Step[D]] = [Step(0.0, test), *steps]
    pieces = run_seeds(learner, [step.data for step in everything], keep_in=keep_in).pieces
    points = []
    for place, step in enumerate(everything):
        values, spread = mean_and_spread([piece.tests[place] for piece in pieces])
        rows = learner.words.rows(step.data.tokens)
        points.append(
            Point(
                strength=step.strength,
                changed=changed_share(test, step.data),
                values=values,
                spread=spread,
                seeds=len(pieces),
                n=len(step.data),
                tokens=sum(map(len, rows)),
                tokens_known=learner.words.count_known(rows)[0],
            )
        )
    return points
