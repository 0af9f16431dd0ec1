"""A second classifier that says the same as another with other attention."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch

from everyword.corpus.labelled.sets import Texts
from everyword.learning.word_vectors import WordVectors
from everyword.studies.kinds.attention.adversary import AdversaryTraining, apart, divergence
from everyword.systems.classifiers.attention import AttentionConfig
from everyword.systems.classifiers.attention_training import AttentionTraining

WORDS = ("the", "film", "was", "good", "bad")
VECTORS = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
TINY = AttentionConfig(hidden=5, scorer=6, dropout=0.0, epochs=4, batch=8, learning_rate=0.03)


def texts(count: int, seed: int) -> Texts:
    rng = Random(seed)
    labels = [rng.choice(["bad", "good"]) for _ in range(count)]
    tokens = [tuple(rng.sample([*rng.choices(WORDS[:3], k=4), label, label], k=6)) for label in labels]
    return Texts("films", tuple(tokens), tuple(labels))


def test_a_second_classifier_can_say_the_same_with_other_attention() -> None:
    train, dev, test = (texts(count, seed) for seed, count in enumerate((64, 16, 24)))
    words = WordVectors(lambda asked: VECTORS[[WORDS.index(word) for word in asked]], 6)
    first = AttentionTraining(words, train, dev, TINY).train()
    near, far = (
        AdversaryTraining(first, train, dev, replace(TINY, seed=1), weight=weight).train() for weight in (0.0, 1.0)
    )

    assert apart(first, first, test) == pytest.approx((0, 0), abs=1e-6)
    assert apart(near, first, test).labels < 0.2
    assert apart(far, first, test).attention > apart(near, first, test).attention + 0.1


def test_divergences_lie_between_0_and_1() -> None:
    even, one = torch.full((1, 4), 0.25), torch.tensor([[1.0, 0.0, 0.0, 0.0]])

    assert float(divergence(one, torch.flip(one, [1]))) == pytest.approx(1)
    assert 0 < float(divergence(one, even)) < 1
    assert float(divergence(even, even)) == 0
