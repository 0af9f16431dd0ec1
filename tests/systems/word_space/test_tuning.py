"""Synonyms closer, antonyms apart, look-alikes as far as their meanings."""

from __future__ import annotations

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.systems.word_space.config import TuningConfig
from everyword.systems.word_space.tuning import look_alikes, tune
from everyword.vectors.neighbours import unit_rows

WORDS = ["mallard", "mallet", "duck", "hammer", "hot", "cold", "cat", "bat"]


def vectors() -> FloatArray:
    """Eight words around one direction, so that all are near each other."""
    noise = np.random.default_rng(0).normal(size=(len(WORDS), 16)).astype(np.float32)
    return unit_rows(noise * 0.5 + np.eye(1, 16, dtype=np.float32) * 3)


def test_words_that_share_letters_or_are_one_edit_apart_look_alike() -> None:
    pairs = look_alikes(torch.from_numpy(vectors()), WORDS, np.ones(8, dtype=bool), neighbours=7)
    named = {(WORDS[one], WORDS[other]) for one, other in pairs.tolist()}
    assert named == {("mallard", "mallet"), ("mallet", "mallard"), ("cat", "bat"), ("bat", "cat")}
    informed = np.array([word != "mallet" for word in WORDS])
    pairs = look_alikes(torch.from_numpy(vectors()), WORDS, informed, neighbours=7)
    assert {WORDS[one] for one, _ in pairs.tolist()} == {"cat", "bat"}


def test_each_pair_moves_as_it_should() -> None:
    start, free = vectors(), vectors().copy()
    free[1] = unit_rows(free[1:2] - 2 * free[0:1])[0]  # mallet means nothing like mallard
    tuned = tune(
        start,
        TuningConfig(steps=60, stay=0.5, synonym_limit=1.0),
        free=free,
        words=WORDS,
        informed=np.ones(8, dtype=bool),
        synonyms=[(0, 2)],
        antonyms=[(4, 5)],
    )
    before, after = start @ start.T, tuned @ tuned.T
    np.testing.assert_allclose(np.linalg.norm(tuned, axis=1), 1, atol=1e-5)
    assert after[0, 2] > before[0, 2]
    assert after[4, 5] < before[4, 5]
    assert after[0, 1] < before[0, 1] - 0.1
    assert after[0, 1] < after[0, 2]
    # Words in no pair stay where they are.
    np.testing.assert_allclose(tuned[3], start[3], atol=1e-3)
