"""Noisy test sets for what was trained on clean text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

from everyword import registry
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.robustness.noise import NONE_PUBLISHED, PUBLISHED, Noise, name_under
from everyword.evaluation.tasks.extrinsic.splits import D, Splits
from everyword.evaluation.tasks.extrinsic.texts import read_texts
from everyword.text.corruption import corrupt_text


def with_noisy_test(data: Splits[D], noise: Noise, seed: int) -> tuple[Splits[D], float]:
    """The splits with a noisy test set, and the share of its tokens that really changed."""
    if noise.corruption == PUBLISHED:
        test = cast(D, read_texts(published_file(data.home, noise)))
    else:
        test = noisy_copy(data.test, noise, seed)
    return replace(data, test=test), changed_share(data.test, test)


def noisy_copy(test: D, noise: Noise, seed: int = 0) -> D:
    """A test set with one edit in each of so many of its tokens.

    Each token has its own random numbers, so that what is corrupt at 10 % is corrupt in the same way at 20 %.
    """
    kinds = [registry.corruptions.get(kind) for kind in noise.kinds]
    tokens = tuple(
        tuple(
            corrupt_text(token, noise.share, kinds, Random(f"{seed}/{item}/{place}"))
            for place, token in enumerate(tokens)
        )
        for item, tokens in enumerate(test.tokens)
    )
    return replace(test, name=name_under(noise, test.name), tokens=tokens)


def published_file(home: Path | None, noise: Noise) -> Path:
    """The noisy copy beside a test set of texts. SST-2 has typo_10.tsv to typo_90.tsv, from the authors of LOVE."""
    if home is None or not home.is_dir():
        raise NoScoreError(NONE_PUBLISHED)
    path = home / f"typo_{noise.strength:g}.tsv"
    if not path.is_file():
        there = sorted(int(name[5:]) for found in home.glob("typo_*.tsv") if (name := found.stem)[5:].isdigit())
        raise InputError(
            f"There is no published noisy copy of {home.name} with {noise.strength:g}% errors; "
            + (f"choose from {', '.join(map(str, there))}." if there else f"save it as {path}.")
        )
    return path


def changed_share(clean: D, noisy: D) -> float:
    """The share of tokens that differ; both must be the same items, token by token."""
    if [len(tokens) for tokens in clean.tokens] != [len(tokens) for tokens in noisy.tokens]:
        raise InputError(f"{noisy.name!r} is no noisy copy of {clean.name!r}: their tokens are not aligned.")
    pairs = [
        pair for one, other in zip(clean.tokens, noisy.tokens, strict=True) for pair in zip(one, other, strict=True)
    ]
    return sum(one != other for one, other in pairs) / len(pairs)
