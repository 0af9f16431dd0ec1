"""A classifier with attention, and what is measured of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch

from everyword.config import check
from everyword.corpus.labelled.sets import Texts
from everyword.errors import ConfigError, InputError
from everyword.evaluation.probes.attention import measure_attention
from everyword.learning.word_vectors import WordVectors
from everyword.systems.classifiers.attention import AttentionConfig, AttentionNetwork
from everyword.systems.classifiers.attention_training import AttentionClassifier, AttentionTraining, f1, numbers_of

TINY = AttentionConfig(hidden=6, scorer=8, dropout=0.0, epochs=4, batch=16, learning_rate=0.02)
WORDS = ("the", "a", "film", "plot", "was", "very", "good", "bad")
VECTORS = np.random.default_rng(0).normal(size=(len(WORDS) + 1, 8)).astype(np.float32)


def vectors() -> WordVectors:
    return WordVectors(lambda words: VECTORS[[(*WORDS, "").index(word) for word in words]], 8)


def texts(count: int, seed: int) -> Texts:
    """Fillers and one word that decides."""
    rng = Random(seed)
    tokens, labels = [], []
    for _ in range(count):
        label = rng.choice(["bad", "good"])
        text = [*rng.choices(WORDS[:6], k=rng.randint(2, 6)), label]
        rng.shuffle(text)
        tokens.append(tuple(text))
        labels.append(label)
    return Texts("films", tuple(tokens), tuple(labels))


@pytest.mark.parametrize("attention", ["additive", "dot"])
@pytest.mark.parametrize(("states", "hidden"), [("base", 6), ("concat", 6), ("residual", 4), ("residual", 6)])
def test_the_score_of_a_text_is_that_of_its_words_weighted_by_attention(
    attention: str, states: str, hidden: int
) -> None:
    torch.manual_seed(0)
    config = replace(TINY, attention=attention, states=states, hidden=hidden)  # type: ignore[arg-type]
    network = AttentionNetwork(8, 3, config).eval()
    inputs, lengths = torch.randn(4, 5, 8), torch.tensor([5, 1, 3, 2])
    passed = network(inputs, lengths)
    assert passed.weights.sum(dim=1).tolist() == pytest.approx([1.0] * 4)
    assert (passed.weights > 0).sum(dim=1).tolist() == lengths.tolist()
    summed = (passed.weights[..., None] * passed.states).sum(dim=1)
    torch.testing.assert_close(passed.scores, network.output(summed))
    alone = network(inputs[2:3, :3], lengths[2:3])  # padding changes nothing
    torch.testing.assert_close(alone.scores[0], passed.scores[2])
    one = torch.zeros(4, 5).index_fill(1, torch.tensor([0]), 1.0)
    torch.testing.assert_close(network(inputs, lengths, one).scores, passed.token_scores[:, 0])
    passed.scores.sum().backward()
    assert all(weights.grad is not None for weights in network.parameters())


def test_every_text_is_read_in_its_place_whatever_its_length() -> None:
    classifier = AttentionClassifier(AttentionNetwork(8, 2, TINY), vectors(), ["bad", "good"])
    given: list[tuple[str, ...]] = [("the", "film", "was", "good"), (), ("bad",), ("a", "plot")]
    readings = classifier.read(given)
    assert [len(reading.weights) for reading in readings] == [4, 1, 1, 2]
    assert readings[3].inputs == pytest.approx(VECTORS[[1, 3]])
    chances = classifier.predict(given)
    assert chances.sum(axis=1) == pytest.approx(np.ones(4))
    own = [reading.weights for reading in readings]
    assert classifier.predict(given, own) == pytest.approx(chances, abs=1e-6)
    with pytest.raises(InputError, match="2 words needs as many weights"):
        classifier.predict(given, own[::-1])


def test_a_classifier_learns_and_its_attention_matters() -> None:
    train, dev, test = (texts(count, seed) for seed, count in enumerate((160, 40, 60)))
    classifier = AttentionTraining(vectors(), train, dev, TINY).train()
    labels = numbers_of(test.labels, classifier.labels)
    scores = measure_attention(classifier, test.tokens, labels, f1)
    assert scores.score > 90
    assert scores.erased_first > scores.erased_random
    assert 0.4 < scores.confidence <= 1
    again = AttentionTraining(vectors(), train, dev, TINY).train()
    assert again.predict(test.tokens) == pytest.approx(classifier.predict(test.tokens), abs=1e-5)


@pytest.mark.parametrize("objective", ["tying", "mlm"])
def test_objectives_about_words_change_what_states_are(objective: str) -> None:
    train, dev, test = (texts(count, seed) for seed, count in enumerate((160, 40, 60)))
    plain = replace(TINY, hidden=4, epochs=5)
    own = replace(plain, objective=objective, objective_weight=0.3)  # type: ignore[arg-type]
    distances, named = [], []
    for config in (plain, own):
        classifier = AttentionTraining(vectors(), train, dev, config).train()
        readings = classifier.read(test.tokens)
        states, inputs = (np.concatenate([getattr(one, part) for one in readings]) for part in ("states", "inputs"))
        distances.append(float(np.square(states - inputs).sum(axis=1).mean()))
        nearest = (states @ VECTORS.T).argmax(axis=1) == (inputs @ VECTORS.T).argmax(axis=1)
        named.append(float(nearest.mean()))
        assert f1(numbers_of(test.labels, classifier.labels), classifier.predict(test.tokens).argmax(axis=1)) > 85
    assert distances[1] < 0.8 * distances[0] if objective == "tying" else named[1] > named[0] + 0.1


def test_f1_is_that_of_the_second_of_two_labels_and_else_the_mean() -> None:
    gold, found = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0])
    assert f1(gold, found) == pytest.approx(100 * 2 / 3)
    assert f1(np.array([0, 1, 2]), np.array([0, 1, 1])) == pytest.approx(100 * (1 + 2 / 3 + 0) / 3)


def test_texts_and_settings_that_cannot_be_are_refused() -> None:
    good = texts(8, 0)
    one = Texts("one", (("the",),), ("good",))
    with pytest.raises(InputError, match="'one' has only one label"):
        AttentionTraining(vectors(), one, good, TINY)
    other = Texts("other", (("the",),), ("dull",))
    with pytest.raises(InputError, match="'dull', which 'films' never has"):
        AttentionTraining(vectors(), good, other, TINY)
    with pytest.raises(ConfigError, match="dropout must be below 1"):
        check(AttentionConfig(dropout=1.0))
