"""Noisy copies of a test set, weak to strong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Generic

from everyword import registry
from everyword.errors import InputError
from everyword.evaluation.extrinsic.splits import D
from everyword.text.corruption import corrupt_text

STRENGTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Step(Generic[D]):
    """A noisy copy of the test set."""

    strength: float
    """The share of words that was asked to be corrupted."""
    data: D


def ladder(test: D, kinds: Sequence[str], strengths: Sequence[float] = STRENGTHS, seed: int = 0) -> list[Step[D]]:
    """Corrupt a test set at each strength by registered kinds of corruption, one edit a word.

    Each token has its own random numbers, so that what is corrupt at 10 % is corrupt in the same way at 20 %.
    """
    corruptions = [registry.corruptions.get(kind) for kind in kinds]

    def corrupt(strength: float, item: int, place: int, token: str) -> str:
        return corrupt_text(token, strength, corruptions, Random(f"{seed}/{item}/{place}"))

    return [
        Step(
            strength,
            replace(
                test,
                name=f"{test.name}-{strength:g}",
                tokens=tuple(
                    tuple(corrupt(strength, item, place, token) for place, token in enumerate(tokens))
                    for item, tokens in enumerate(test.tokens)
                ),
            ),
        )
        for strength in strengths
    ]


def changed_share(clean: D, noisy: D) -> float:
    """The share of tokens that differ; both must be the same items, token by token."""
    if [len(tokens) for tokens in clean.tokens] != [len(tokens) for tokens in noisy.tokens]:
        raise InputError(f"{noisy.name!r} is no noisy copy of {clean.name!r}: their tokens are not aligned.")
    pairs = [
        pair for one, other in zip(clean.tokens, noisy.tokens, strict=True) for pair in zip(one, other, strict=True)
    ]
    return sum(one != other for one, other in pairs) / len(pairs)
