"""How a score falls as the test text gets noisier: trained once on clean text, scored at each step of a ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from everyword.evaluation.extrinsic.ladder import Step, changed_share
from everyword.evaluation.extrinsic.learner import Learner
from everyword.evaluation.extrinsic.protocol import judge_all
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


def curve(learner: Learner[D], test: D, steps: Sequence[Step[D]]) -> list[Point]:
    """Score the clean test set, then each step, with the same models: the rate chosen on dev, several seeds."""
    everything: list[Step[D]] = [Step(0.0, test), *steps]
    scores = judge_all(learner, [step.data for step in everything])
    return [
        Point(
            strength=step.strength,
            changed=changed_share(test, step.data),
            values=found.values,
            spread=found.spread,
            seeds=found.seeds,
            n=found.n,
            tokens=found.tokens,
            tokens_known=found.tokens_known,
        )
        for step, found in zip(everything, scores, strict=True)
    ]
