"""Noisy test sets for what was trained on clean text."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from everyword.errors import NoScoreError
from everyword.evaluation.extrinsic.ladder import changed_share, ladder
from everyword.evaluation.extrinsic.sets import read_published
from everyword.evaluation.extrinsic.splits import D, Splits
from everyword.evaluation.extrinsic.texts import Texts
from everyword.evaluation.noise import PUBLISHED, Noise


def with_noisy_test(data: Splits[D], noise: Noise, seed: int) -> tuple[Splits[D], float]:
    """The splits with a noisy test set, and the share of its tokens that really changed."""
    test = _published(data, noise) if noise.corruption == PUBLISHED else _made(data.test, noise, seed)
    return replace(data, test=test), changed_share(data.test, test)


def _made(test: D, noise: Noise, seed: int) -> D:
    [step] = ladder(test, noise.kinds, [noise.share], seed)
    return step.data


def _published(data: Splits[D], noise: Noise) -> D:
    if data.home is None or not isinstance(data.test, Texts):
        raise NoScoreError(f"There are no published noisy copies of {data.test.name!r}; choose another corruption.")
    return cast(D, read_published(data.home, noise.strength))
