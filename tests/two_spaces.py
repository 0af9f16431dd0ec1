"""Two small tables of which one is a rotation of the other."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray
from everyword.vectors.table import VectorTable

DIM, WORDS = 12, 200


def rotation(dim: int = DIM, seed: int = 1) -> FloatArray:
    found, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(dim, dim)))
    return found.astype(np.float32)


def rotated_tables(noise: float = 0.0, *, words: int = WORDS, dim: int = DIM) -> tuple[VectorTable, VectorTable]:
    """Words s0, s1, … and their translations t0, t1, …, with directions of unequal strength."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(words, dim)) * np.linspace(2, 0.5, dim) + 0.3
    z = x @ rotation(dim) + noise * draw.normal(size=(words, dim))
    names = (f"{letter}{index}" for letter in "st" for index in range(words))
    listed = list(names)
    return (
        VectorTable(listed[:words], x.astype(np.float32)),
        VectorTable(listed[words:], z.astype(np.float32)),
    )


def dictionary(first: int, last: int) -> list[tuple[str, str]]:
    return [(f"s{index}", f"t{index}") for index in range(first, last)]
