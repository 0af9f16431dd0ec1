"""Copies of test texts with errors: noise as in other studies, or errors in a number of words of each text."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from everyword import registry
from everyword.corpus.labelled.sets import D, Splits
from everyword.errors import EverywordError
from everyword.evaluation.robustness.noise import read_noise
from everyword.evaluation.tasks.extrinsic.tasks import with_noisy_test
from everyword.text.corruption import TYPOS

LONG_ENOUGH = 4
"""Words of fewer letters get no error, as in the published copies of SST-2."""


def noise_problem(noise: str) -> str:
    """Return what is wrong with the name of a noise; nothing if it is a right one, or empty.

    >>> noise_problem("typos-2"), noise_problem("typo-50"), noise_problem("typos")
    ('', '', "Noise must read corruption-strength, as in typo-70. Got 'typos' instead.")
    """
    if not noise or _count(noise) is not None:
        return ""
    try:
        read_noise(noise)
    except EverywordError as error:
        return str(error)
    return ""


def noisy(splits: Splits[D], noise: str, seed: int = 0) -> D:
    """Return the test texts under a noise; without one, as they are."""
    if not noise:
        return splits.test
    count = _count(noise)
    if count is not None:
        return with_errors(splits.test, count, seed)
    return with_noisy_test(splits, read_noise(noise), seed)[0].test


def with_errors(texts: D, count: int, seed: int = 0) -> D:
    """Return texts with one typing error in each of `count` words, or of all longer ones if there are fewer.

    A word that is misspelt with one error per text is misspelt alike with two.
    """
    kinds = [registry.corruptions.get(kind) for kind in TYPOS]
    written = []
    for item, tokens in enumerate(texts.tokens):
        rng = Random(f"{seed}/{item}")
        order = [index for index, token in enumerate(tokens) if len(token) >= LONG_ENOUGH and token.isalpha()]
        rng.shuffle(order)
        spelt = list(tokens)
        for index in order[:count]:
            own = Random(f"{seed}/{item}/{index}")
            spelt[index] = own.choice(kinds)(spelt[index], own)
        written.append(tuple(spelt))
    return replace(texts, tokens=tuple(written))


def _count(noise: str) -> int | None:
    found = re.fullmatch(r"typos-([1-9]\d*)", noise)
    return int(found[1]) if found else None
