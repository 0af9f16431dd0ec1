"""The language: all combinations of the values of some concepts, by number; which of them are trained on."""

from __future__ import annotations

import numpy as np

from everyword.arrays import IndexArray
from everyword.systems.codes.config import CodesConfig


def strings_of(numbers: IndexArray, config: CodesConfig) -> IndexArray:
    """Return the value of each concept, (…, concepts), of strings by number.

    >>> strings_of(np.array([0, 7, 12]), CodesConfig(concepts=2, values=5)).tolist()
    [[0, 0], [1, 2], [2, 2]]
    """
    powers = config.values ** np.arange(config.concepts - 1, -1, -1)
    return np.asarray(numbers)[..., None] // powers % config.values


def split(config: CodesConfig) -> tuple[IndexArray, IndexArray]:
    """Return the numbers of the strings to train on and of those to test, in random order."""
    order = np.random.default_rng([config.seed, 1]).permutation(config.strings)
    cut = round(config.train_share * config.strings)
    return order[:cut], order[cut:]


def sample_of(config: CodesConfig, most: int = 20_000) -> IndexArray:
    """Return strings drawn from the whole language, or all of them in order if they are no more than `most`."""
    if config.strings <= most:
        return strings_of(np.arange(config.strings), config)
    numbers = np.random.default_rng([config.seed, 3]).choice(config.strings, most, replace=False)
    return strings_of(numbers, config)
