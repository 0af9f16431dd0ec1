"""Measures of attention: changed weights, erased words, distances, and what states know of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.probes.attention import (
    jensen_shannon,
    measure_attention,
    permuted,
    token_confidence,
    total_variation,
    uniform,
)
from everyword.evaluation.probes.word_identity import cluster, entropy, mutual_information, word_information

Text = Sequence[str]


@dataclass
class Read:
    weights: FloatArray
    token_scores: FloatArray


class Counting:
    """All attention on "yes" or "no", whichever is there; every word but these is against "yes"."""

    SCORES: ClassVar[dict[str, float]] = {"yes": 4.0, "no": -4.0}

    def read(self, texts: Sequence[Text]) -> list[Read]:
        return [Read(*self._parts(text)) for text in texts]

    def predict(self, texts: Sequence[Text], weights: Sequence[FloatArray] | None = None) -> FloatArray:
        found = []
        for place, text in enumerate(texts):
            own, scores = self._parts(text)
            found.append((weights[place] if weights else own) @ scores)
        powers = np.exp(np.array(found))
        return (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)

    def _parts(self, text: Text) -> tuple[FloatArray, FloatArray]:
        decides = np.array([word in self.SCORES for word in text], dtype=np.float32)
        weights = decides if decides.any() else np.ones(len(text), dtype=np.float32)
        scores = np.array([[0.0, self.SCORES.get(word, -1.5)] for word in text], dtype=np.float32)
        return weights / weights.sum(), scores


TEXTS = [["w", "yes", "w", "w"], ["no", "w", "w"], ["w", "w", "w", "yes", "w"], ["w", "no"]]
LABELS = np.array([1, 0, 1, 0])


def accuracy(gold: IndexArray, found: IndexArray) -> float:
    return 100 * float((gold == found).mean())


def test_what_attention_is_worth_is_what_a_model_loses_without_it() -> None:
    scores = measure_attention(Counting(), TEXTS, LABELS, accuracy, permutations=20)
    assert scores.score == 100
    assert scores.uniform_drop == 50  # four fillers outvote yes
    assert 0 < scores.permuted_drop <= 50
    assert scores.erased_first == 0.5
    assert scores.erased_random < 0.5
    assert scores.texts == 4
    with pytest.raises(InputError, match="Each text needs a label"):
        measure_attention(Counting(), TEXTS, LABELS[:2], accuracy)


def test_changed_weights_are_weights() -> None:
    weights = np.array([0.5, 0.3, 0.2, 0.0], dtype=np.float32)
    assert uniform(weights).tolist() == [0.25] * 4
    shuffled = permuted(weights, np.random.default_rng(0))
    assert sorted(shuffled) == sorted(weights)
    assert not (shuffled == weights).all()


def test_confidence_is_the_mean_probability_of_the_label_with_attention_on_one_word() -> None:
    reading = Read(np.ones(2, dtype=np.float32) / 2, np.log(np.array([[0.2, 0.8], [0.6, 0.4]], dtype=np.float32)))
    assert token_confidence([reading], np.array([1])) == pytest.approx(0.6)
    assert token_confidence([reading], np.array([0])) == pytest.approx(0.4)
    assert token_confidence([], np.array([], dtype=int)) == 0


def test_distances_of_distributions_lie_between_0_and_1() -> None:
    rng = np.random.default_rng(2)
    first, second = (rng.dirichlet(np.ones(5), size=50).astype(np.float32) for _ in range(2))
    for distance in (total_variation, jensen_shannon):
        assert ((distance(first, second) > 0) & (distance(first, second) < 1)).all()
        assert distance(first, first) == pytest.approx(np.zeros(50), abs=1e-6)
        assert distance(first, second) == pytest.approx(distance(second, first), abs=1e-6)
        apart = np.eye(2, dtype=np.float32)
        assert distance(apart, apart[::-1]) == pytest.approx([1, 1])


def test_the_information_of_equal_clusters_is_their_entropy_and_of_others_near_0() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(2000, 6)).astype(np.float32)
    labels = cluster(vectors, 20)
    assert mutual_information(labels, cluster(vectors, 20)) == pytest.approx(entropy(labels))
    words = [str(number) for number in rng.integers(30, size=2000)]
    found = word_information(words, vectors, clusters=20)
    assert abs(found.information) < 0.05
    assert found.share < 0.05
    assert found.by_chance > 0.05  # which is why it is subtracted


@pytest.mark.parametrize("choice", ["frequent", "sampled"])
def test_states_that_are_their_words_know_nearly_all_of_them(choice: str) -> None:
    rng = np.random.default_rng(4)
    table = rng.normal(size=(30, 8))
    rows = rng.integers(30, size=1500)
    states = (table[rows] + 0.01 * rng.normal(size=(1500, 8))).astype(np.float32)
    words = [f"w{row}" for row in rows]
    found = word_information(words, states, choice=choice, most_words=20, clusters=80)  # type: ignore[arg-type]
    assert found.share > 0.9
    assert found.entropy <= np.log(20)
    assert found.states < 1500
    assert found.interval[0] <= found.share <= found.interval[1] < found.interval[0] + 0.3
    few = word_information(words, states, choice=choice, most_states=200)  # type: ignore[arg-type]
    assert few.states == 200
    with pytest.raises(InputError, match="a state per word"):
        word_information(words[:5], states)
