"""A tiny world for tests: made-up words, a table for them, and a recipe that learns it in two seconds."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from everyword.vectors.table import VectorTable

ONSETS = ("b", "d", "f", "gr", "k", "l", "m", "pl", "s", "tr")
RIMES = ("an", "elo", "in", "oru", "ust")
ENDINGS = ("", "er", "ing", "ly", "ness", "s")
DIM = 16
OWN_DIM = 10

TINY_OVERRIDES = (
    "vocabulary.size=150",
    "training.epochs=2",
    "training.anchors=64",
    "training.learning_rate=0.02",
    "words.held_out=0.05",
)


def tiny_table() -> VectorTable:
    """300 pronounceable words; a vector is the sum of what its parts mean, so that spelling can be learnt."""
    rng = np.random.default_rng(5)
    parts = {part: rng.normal(size=DIM) for part in (*ONSETS, *RIMES, *ENDINGS)}
    spelt = list(product(ONSETS, RIMES, ENDINGS))
    matrix = np.array([sum(parts[part] for part in word) for word in spelt], dtype=np.float32)
    return VectorTable(["".join(word) for word in spelt], matrix)


def own_table() -> VectorTable:
    """The last 260 words in a space of another dimension, as a user of the tiny model might bring them."""
    table, rng = tiny_table(), np.random.default_rng(6)
    matrix = table.matrix[40:] @ rng.normal(size=(DIM, OWN_DIM)) + rng.normal(size=OWN_DIM)
    return VectorTable(table.words[40:], matrix.astype(np.float32))


def tiny_teacher(folder: Path) -> Path:
    """The tiny table as a file."""
    path = folder / "tiny.vec"
    tiny_table().save(path)
    return path
