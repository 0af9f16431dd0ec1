"""Run by `test_batches.py` in processes of its own: compare what models answer in batches, alone and in threads."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import everyword
from everyword.arrays import FloatArray

WORDS = ["ban", "bann", "trusting", "plinnnes", "grelonesss", "sorug", "🙂", "", *(f"grelo{end}" for end in "abcdefgh")]
TOLERANCE = 1e-6
"""What docs/footguns.md promises, as a share of the vector's length."""


def same(found: FloatArray, expected: FloatArray) -> bool:
    lengths = np.linalg.norm(expected, axis=-1, keepdims=True)
    return found.shape == expected.shape and bool((np.abs(found - expected) <= TOLERANCE * lengths).all())


def check(folder: str) -> None:
    model = everyword.load(folder)
    together = model.encode(WORDS)
    assert np.array_equal(model.encode(WORDS), together), "the same batch again"
    assert same(np.stack([model.encode(word) for word in WORDS]), together), "words one by one"

    def rolled(turn: int) -> bool:
        return same(model.encode(np.roll(WORDS, turn).tolist()), np.roll(together, turn, axis=0))

    assert all(map(rolled, range(len(WORDS)))), "rolled words"
    assert same(model.encode(WORDS * 40), np.tile(together, (40, 1))), "a larger batch"
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(rolled, range(2 * len(WORDS)))), "threads"


for given in sys.argv[1:]:
    check(given)
